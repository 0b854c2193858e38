import { useId } from 'react';
import { percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { ResultBar } from '#site/ui/ResultBars.tsx';
import { rankedTexts as texts } from '#texts/ranked.ts';
import type { AnyPoll } from './ballot.ts';
import styles from './RunoffRounds.module.css';

/** The rounds of a ranked poll as a table with bars: options in the order of the result, then votes without one. */
export function RunoffRounds({ poll: { runoff, options } }: { readonly poll: AnyPoll }) {
  const id = useId();
  if (!runoff) return null;
  const { rounds } = runoff;
  const roundOf = (place: number) => {
    const gone = rounds.findIndex(({ eliminated }) => eliminated === place);
    return gone === -1 ? rounds.length : gone;
  };
  const last = rounds.at(-1)!.votes;
  const totals = rounds.map(({ votes }) => votes.reduce<number>((sum, one) => sum + (one ?? 0), 0));
  const sorted = options
    .map(({ text }, place) => ({ text, place }))
    .sort((a, b) => roundOf(b.place) - roundOf(a.place) || (last[b.place] ?? 0) - (last[a.place] ?? 0));
  return (
    <div className={styles.rounds}>
      {/* The region scrolls, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={styles.scroll} aria-labelledby={id} tabIndex={0}>
        <table>
          <caption id={id}>{texts.rounds}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.option}</th>
              {rounds.map((_, round) => (
                <th key={round} scope="col">
                  {texts.round(round + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ text, place }) => (
              <tr key={place}>
                <th scope="row" dir="auto">
                  {text}
                </th>
                {rounds.map(({ votes, eliminated, byRule }, round) => {
                  const count = votes[place];
                  if (count == null)
                    return (
                      <td key={round} className="muted">
                        {texts.gone}
                      </td>
                    );
                  const percent = percentWhole(count, totals[round]!);
                  return (
                    <td key={round}>
                      <b>{formatCount(count)}</b> <span className="muted small">{formatPercent(percent, 0)}</span>
                      <ResultBar percent={percent} />
                      {eliminated === place && (
                        <span className="small">{byRule ? texts.byRule : texts.eliminated}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{texts.exhausted}</th>
              {rounds.map(({ exhausted }, round) => (
                <td key={round}>{formatCount(exhausted)}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
      <p className="muted small">{texts.method}</p>
    </div>
  );
}

import { useId } from 'react';
import type { ImportResult } from '#contract/poll-import.ts';
import { formatCount } from '#site/ui/format.ts';
import { importTexts as texts } from '#texts/admin.ts';
import styles from './Admin.module.css';
import type { Told } from './use-import.ts';

/** Problems that are listed: whoever has more mends these first. */
const listed = 200;

/** What an import did or would do, each error with its place, and the warnings apart. */
export function ImportOutcome({ told }: { readonly told: Told }) {
  const { dryRun, failed, message, result } = told;
  const counts = dryRun ? texts.wouldCounts : texts.counts;
  return (
    <div className={`${styles.outcome} ${failed ? styles.outcomeFailed : ''}`.trim()}>
      <h3>{dryRun ? texts.dryRun : texts.outcome}</h3>
      <p>{message}</p>
      {result !== null && (
        <>
          {/* The sentence is enough to be told by itself; the rest is read by who wants to. */}
          <dl className={styles.counts} aria-live="off">
            {(['inserted', 'updated', 'unchanged', 'rejected'] as const).map((count) => (
              <div key={count}>
                <dt>{counts[count]}</dt>
                <dd>{formatCount(result[count])}</dd>
              </div>
            ))}
          </dl>
          <Problems title={texts.errors(result.errors.length)} problems={result.errors} />
          <Problems title={texts.warnings(result.warnings.length)} problems={result.warnings} />
        </>
      )}
    </div>
  );
}

function Problems({ title, problems }: { title: string; problems: ImportResult['errors' | 'warnings'] }) {
  const id = useId();
  if (problems.length === 0) return null;
  return (
    <div className={styles.problems} aria-live="off">
      <h4 id={id}>{title}</h4>
      {/* It scrolls, so the keyboard must reach it. */}
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {Object.values(texts.columns).map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {problems.slice(0, listed).map(({ line, column, value, reason }, place) => (
              <tr key={place}>
                <td className="figure">{line === null ? texts.none : formatCount(line)}</td>
                <td>{column ?? texts.none}</td>
                <td dir="auto">{value === null || value === '' ? texts.none : value}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problems.length > listed && <p className="muted small">{texts.more(problems.length - listed)}</p>}
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { PointerEvent as Press } from 'react';
import type { ChoicesProps, SeveralParts } from '#site/polls/voting/Ballot.tsx';
import { choicesOf, isClosed, rankField } from '#site/polls/voting/ballot.ts';
import { severalTexts } from '#texts/choices.ts';
import { rankedTexts as texts } from '#texts/ranked.ts';
import { RunoffRounds } from '#site/polls/voting/RunoffRounds.tsx';
import { runoffResult } from '#site/polls/voting/runoff-result.ts';
import styles from './RankedParts.module.css';

/** The ranking with this option at a place from 0, or without it (null); what is then beyond `max` is not ranked any more. */
function moved(chosen: readonly string[], id: string, place: number | null, max: number): readonly string[] {
  const others = chosen.filter((other) => other !== id);
  return place === null ? others : [...others.slice(0, place), id, ...others.slice(place)].slice(0, max);
}

const middleOf = (element: Element) => {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
};

/**
 * The options to put in order: dragged above a line, moved by arrows, or given a number. Without JavaScript, the numbers are
 * sent; what was chosen there stays when React takes over, because each number has the same field.
 */
function Choices({ poll, options, chosen, choose }: ChoicesProps) {
  const { max } = choicesOf(poll);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<string | null>(null);
  const rows = useRef(new Map<string, HTMLElement>());
  const entered = useRef(new Map<string, number>());
  const line = useRef<HTMLParagraphElement>(null);
  const textOf = (id: string) => options.find((option) => option.id === id)?.text ?? '';

  const move = (id: string, place: number | null) => {
    const next = moved(chosen, id, place, max);
    if (next.join() === chosen.join()) return;
    choose(next);
    const at = next.indexOf(id) + 1;
    setSaid(at === 0 ? texts.unranked(textOf(id)) : texts.moved(textOf(id), at, next.length));
  };

  /** Takes a number. Several in one task are those that were chosen before React was there: together they say the order. */
  const enter = (id: string, rank: string) => {
    if (entered.current.size === 0) setTimeout(() => entered.current.clear());
    entered.current.set(id, Number(rank));
    if (entered.current.size === 1) move(id, rank === '' ? null : Number(rank) - 1);
    else choose([...entered.current].sort(([, a], [, b]) => a - b).map(([one]) => one));
  };

  useEffect(() => {
    if (dragged === null) return undefined;
    const follow = ({ clientY }: PointerEvent) => {
      const others = chosen.filter((id) => id !== dragged);
      const above = others.filter((id) => middleOf(rows.current.get(id)!) < clientY).length;
      move(dragged, clientY > line.current!.getBoundingClientRect().bottom ? null : above);
    };
    const end = () => setDragged(null);
    addEventListener('pointermove', follow);
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end);
    return () => {
      removeEventListener('pointermove', follow);
      for (const name of ['pointerup', 'pointercancel']) removeEventListener(name, end);
    };
  });

  // A finger scrolls the page, except on the handle.
  const press = (event: Press, id: string) => {
    const target = event.target as Element;
    if (event.button !== 0 || target.closest('select, button')) return;
    if (event.pointerType === 'mouse' || target.closest('[data-handle]')) setDragged(id);
  };

  const row = (id: string) => {
    const text = textOf(id);
    const at = chosen.indexOf(id);
    const steps = [
      {
        label: texts.up(text),
        sign: '↑',
        to: at === -1 ? chosen.length : at - 1,
        off: at === 0 || (at === -1 && chosen.length >= max),
      },
      { label: texts.down(text), sign: '↓', to: at === chosen.length - 1 ? null : at + 1, off: at === -1 },
    ];
    return (
      <div
        key={id}
        ref={(element) => void (element ? rows.current.set(id, element) : rows.current.delete(id))}
        className={styles.row}
        data-ranked={at === -1 ? undefined : ''}
        data-dragged={dragged === id ? '' : undefined}
        onPointerDown={(event) => press(event, id)}
      >
        <span className={styles.handle} data-handle aria-hidden="true">
          ⠿
        </span>
        <span className={styles.text} dir="auto">
          {text}
        </span>
        <span className={styles.steps}>
          <select
            className={styles.rank}
            name={`${rankField}${id}`}
            aria-label={texts.rankOf(text)}
            value={at === -1 ? '' : String(at + 1)}
            onChange={({ target }) => enter(id, target.value)}
          >
            <option value="">{texts.unrankedValue}</option>
            {Array.from({ length: max }, (_, place) => (
              <option key={place} value={place + 1}>
                {place + 1}
              </option>
            ))}
          </select>
          {steps.map(({ label, sign, to, off }) => (
            <button
              key={sign}
              type="button"
              className={styles.step}
              aria-label={label}
              // A disabled button would lose the focus.
              aria-disabled={off}
              onClick={() => !off && move(id, to)}
            >
              {sign}
            </button>
          ))}
        </span>
      </div>
    );
  };

  // Below results, it would only take up space.
  if (poll.hasVoted || isClosed(poll)) return null;
  const rest = options.flatMap(({ id }) => (chosen.includes(id) ? [] : [id]));
  // In one list, so that what has the focus stays when its row moves.
  return [
    ...chosen.map(row),
    <p key="" ref={line} className={styles.line} data-fixed="true">
      {chosen.length === 0 ? texts.line.none : rest.length === 0 ? texts.line.all : texts.line.some}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </p>,
    ...rest.map(row),
  ];
}

/** Of a ballot on which a vote ranks options. */
export const ranked: SeveralParts = {
  legend: texts.legend,
  voters: severalTexts.voters,
  listed: texts.list,
  result: runoffResult,
  Rule: ({ poll, id }) => (
    <p id={id} className="small">
      {texts.rule(choicesOf(poll))}
    </p>
  ),
  Shares: ({ poll }) => (
    <p className={`muted small ${styles.shares}`}>
      {texts.shares} {isClosed(poll) ? '' : texts.atEnd}
    </p>
  ),
  Choices,
  Rounds: RunoffRounds,
};

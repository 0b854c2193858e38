import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { offeredOptions } from '#domain/poll-results.ts';
import { figuresSentence, independentNote, otherLeader } from '#domain/figure-sentences.ts';
import type { PollFigures } from '#domain/vote-figures.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import { embedTexts as texts, embedCodeTexts, sharingTexts } from '#texts/sharing.ts';
import { isClosed } from '#site/polls/voting/ballot.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** HTML that embeds a poll on another site. `url` is the full address of the poll’s page. */
export function embedCode(url: string, poll: EmbeddedPoll): string {
  const title = embedCodeTexts
    .title(poll.question.replace(/\s+/g, ' ').trim())
    .replace(/[&"<>]/g, (one) => escapes[one] ?? one);
  const source = url.replace(/\/poll\/([\w-]+)$/, '/embed/poll/$1');
  return `<iframe src="${source}" title="${title}" width="100%" height="${embedHeight(poll)}" style="border:0;max-width:36rem" loading="lazy"></iframe>`;
}

const { license } = sharingTexts;

/**
 * Measurements of EmbeddedPoll.astro in a frame of 320 px, the narrowest common width, in pixels and columns of average
 * letters. `spare` covers differences between fonts and languages.
 */
const frame = { padding: 34, gap: 16, kicker: 18, chart: 176, links: 44, spare: 12 };
const heading = { columns: 20, line: 27, minimum: 64 };
const result = { columns: 29, line: 18.5, bar: 12, gap: 12 };
const answer = { columns: 30, line: 21, padding: 18, gap: 8 };
const small = { columns: 40, line: 18.5 };

/** Capitals, East Asian scripts, and emoji are about twice as wide as other letters. */
const wideLetters = /[A-Z\u1100-\uffef]|[\u{1f000}-\u{3ffff}]/gu;

const widthOf = (word: string) => Array.from(word).length + (word.match(wideLetters)?.length ?? 0);

/** Lines that a text takes; overlong words break anywhere. */
function linesOf(text: string, columns: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.trim().split(/\s+/)) {
    const width = widthOf(word);
    const start = used === 0 ? 0 : used + 1;
    if (start + width <= columns) {
      used = start + width;
      continue;
    }
    if (used > 0) lines += 1;
    lines += Math.max(0, Math.ceil(width / columns) - 1);
    used = width % columns || Math.min(width, columns);
  }
  return lines;
}

/** The part of a poll that determines the frame’s height. */
export type EmbeddedPoll = PollFigures & Pick<Poll, 'question' | 'options' | 'isActive' | 'closedAt'>;

const sum = (numbers: readonly number[], gap: number) =>
  numbers.reduce((total, one) => total + one, gap * Math.max(0, numbers.length - 1));

/**
 * The height in pixels that fits the embedded poll now and once it is closed: the code is copied once, and the framed page
 * has no script that could report its height.
 */
export function embedHeight({ question, options, ...poll }: EmbeddedPoll): number {
  const figures = figuresSentence(poll);
  const leader = otherLeader({ ...poll, options });
  const note = independentNote(poll);
  const head = Math.max(heading.minimum, heading.line * linesOf(question, heading.columns));
  const open = [
    sum(
      offeredOptions(options).map(({ text }) => answer.padding + answer.line * linesOf(text, answer.columns)),
      answer.gap,
    ),
    small.line * linesOf(texts.openNote, small.columns),
  ];
  const closed = [
    frame.chart,
    sum(
      // The order may still change.
      options
        .map(({ text }) => result.bar + result.line * linesOf(text, result.columns))
        .sort((a, b) => b - a)
        .slice(0, limits.embedOptions),
      result.gap,
    ),
    ...(figures === null
      ? []
      : [small.line * linesOf(`${figures}. ${note ?? ''} ${voteFigureTexts.why}`, small.columns)]),
    ...(leader === null ? [] : [answer.line * linesOf(leader, answer.columns)]),
    ...(options.length > limits.embedOptions ? [small.line] : []),
    small.line * linesOf(`${texts.note} ${license.label} ${license.name}`, small.columns),
  ];
  const parts = (of: readonly number[]) => sum([frame.kicker, head, ...of, frame.links], frame.gap);
  const needed = isClosed(poll) ? parts(closed) : Math.max(parts(open), parts(closed));
  return Math.ceil(frame.padding + needed + frame.spare);
}

import type { Series } from '#api/polls/topics/series.contract.ts';
import { chartForm, rankedShown } from '#domain/chart-form.ts';
import { offeredOptions } from '#domain/poll-results.ts';
import { figuresSentence, independentNote, otherLeader } from '#domain/figure-sentences.ts';
import { drawnLines, seriesLines } from '#domain/series.ts';
import type { PollFigures } from '#domain/vote-figures.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import { embedTexts as texts, embedCodeTexts } from '#texts/embeds.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { pageColors } from '#site/ui/charts/palette.ts';
import { drawWaves, waveWidths } from '#site/ui/charts/wave-svg.ts';
import { ruleOf } from '#site/polls/voting/choice-sentences.ts';
import { isClosed, writtenMark } from '#site/polls/voting/ballot.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { writtenTexts } from '#texts/write-ins.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** Seconds that an embedded page may be cached. */
export const embedMaxAgeSeconds = 60;

interface Frame {
  /** The full address of the framed page. */
  readonly source: string;
  readonly title: string;
  /** In pixels, and as a CSS length. */
  readonly height: number;
  readonly maxWidth: string;
}

function frameCode({ source, title, height, maxWidth }: Frame): string {
  const escaped = title.replace(/[&"<>]/g, (one) => escapes[one] ?? one);
  return `<iframe src="${source}" title="${escaped}" width="100%" height="${height}" style="border:0;max-width:${maxWidth}" loading="lazy"></iframe>
${frameHeightScript(new URL(source).origin)}`;
}

/** Gives the frames of a page the heights that the framed pages of this origin report. */
const frameHeightScript = (origin: string) =>
  `<script>addEventListener("message",function(e){if(e.origin==="${origin}"&&e.data.weathervaneHeight)document.querySelectorAll("iframe").forEach(function(f){if(f.contentWindow===e.source)f.height=e.data.weathervaneHeight})})</script>`;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * HTML that embeds a poll on another site. `url` is the full address of the poll’s page; `votingSites` are the origins of sites
 * in whose pages visitors may vote.
 */
export function embedCode(url: string, poll: EmbeddedPoll, votingSites: readonly string[] = []): string {
  const source = url.replace(/\/((?:poll|community-polls)\/[\w-]+)$/, '/embed/$1');
  const code = frameCode({
    source,
    title: embedCodeTexts.title(oneLine(poll.question)),
    height: embedHeight(poll),
    maxWidth: '36rem',
  });
  if (votingSites.length === 0) return code;
  return `${code}\n<!-- ${embedCodeTexts.voting(votingSites.join(', '), `${source}/vote`)} -->`;
}

/** HTML that embeds the chart of a series. `url` is the full address of its page. */
export function seriesEmbedCode(url: string, { name, waves }: Series): string {
  const narrow = drawWaves(waves, drawnLines(seriesLines(waves)), pageColors, { width: waveWidths[0] });
  return frameCode({
    source: url.replace(/\/historical\/series\/([^/]+)$/, '/embed/series/$1'),
    title: embedCodeTexts.seriesTitle(oneLine(name)),
    height: Math.ceil(
      seriesFrame.others + heading.line * linesOf(name, heading.columns) + narrow.height * seriesFrame.scale,
    ),
    maxWidth: '60rem',
  });
}

const { license } = sharingTexts;

/**
 * Measurements of EmbeddedPoll.astro in a frame of 320 px, the narrowest common width, in pixels and columns of average
 * letters. `spare` covers differences between fonts and languages.
 */
const frame = { padding: 34, gap: 16, kicker: 18, fold: 48, links: 44, spare: 12 };
const heading = { columns: 20, line: 27, minimum: 64 };
/** Of ReportBreakdown.astro: an answer below the others, half of a bar with two, its bar and ends, and the line under all. */
const result = { columns: 23, line: 20, others: 27, half: { columns: 12, others: 82 }, whole: 52, ends: 21, total: 26 };
const answer = { columns: 30, line: 21, padding: 18, gap: 8 };
const small = { columns: 40, line: 18.5 };

/** Of RunoffRounds.tsx. */
const rounds = { others: 300, row: 80 };

/** Of EmbeddedSeries.astro: what stands around its heading and drawing, and how much larger than drawn that may be shown. */
const seriesFrame = { others: 340, scale: 1.4 };

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
export type EmbeddedPoll = PollFigures &
  Pick<AnyPoll, 'question' | 'options' | 'isActive' | 'closedAt'> &
  Pick<Partial<AnyPoll>, 'visibility' | 'method' | 'minChoices' | 'maxChoices' | 'writeIns'>;

/** What can be chosen of an embedded poll, as its links say it. */
export function answersOf({ options, visibility, writeIns }: EmbeddedPoll): readonly { id: string; text: string }[] {
  if (visibility === undefined) return offeredOptions(options);
  return writeIns ? [...options, { id: writtenMark, text: writtenTexts.other }] : options;
}

const sum = (numbers: readonly number[], gap: number) =>
  numbers.reduce((total, one) => total + one, gap * Math.max(0, numbers.length - 1));

/** The height of the bars of a community poll, with the rounds of a ranked one, in pixels. */
function communityHeight(options: EmbeddedPoll['options'], isRanked: boolean): number {
  const bars = sum(
    options.map(({ text }) => result.others + result.line * linesOf(text, result.columns)),
    frame.gap,
  );
  const note = small.line * 4;
  return isRanked ? bars + note + rounds.others + rounds.row * options.length : bars + note;
}

/** The height of the chart with its table, in pixels; an open poll’s order may still change. */
function resultHeight({ options, visibility, method }: EmbeddedPoll): number {
  const { half, whole, ends, total } = result;
  if (visibility !== undefined) return communityHeight(options, method === 'ranked');
  const form = chartForm(options);
  if (form === 'split')
    return (
      whole + half.others + total + result.line * Math.max(...options.map(({ text }) => linesOf(text, half.columns)))
    );
  const rows = options.map(({ text }) => result.others + result.line * linesOf(text, result.columns));
  if (form === 'scale')
    return (
      whole + total + sum(rows, 0) + 2 * ends * Math.max(...options.map(({ text }) => linesOf(text, small.columns)))
    );
  const hasTail = form === 'ranked' && rows.length > rankedShown + 2;
  const shown = hasTail ? rows.sort((a, b) => b - a).slice(0, rankedShown) : rows;
  return sum(shown, 0) + total + (hasTail ? frame.fold : 0);
}

/**
 * The height in pixels that fits the embedded poll now and once it is closed: the code is copied once, and where scripts are not
 * allowed, the framed page can’t report its height.
 */
export function embedHeight(poll: EmbeddedPoll): number {
  const { question } = poll;
  const figures = figuresSentence(poll);
  const leader = otherLeader(poll);
  const note = independentNote(poll);
  const head = Math.max(heading.minimum, heading.line * linesOf(question, heading.columns));
  const open = [
    ...[ruleOf(poll) ?? '', poll.writeIns ? writtenTexts.hint : '']
      .filter((text) => text !== '')
      .map((text) => small.line * linesOf(text, small.columns)),
    sum(
      answersOf(poll).map(({ text }) => answer.padding + answer.line * linesOf(text, answer.columns)),
      answer.gap,
    ),
    ...(poll.totalVotes > 0 ? [frame.fold] : []),
    small.line * linesOf(texts.openNote, small.columns),
    // With an address of up to 80 letters.
    small.line * (linesOf(texts.copy, small.columns) + 3),
  ];
  const closed = [
    resultHeight(poll),
    ...(figures === null
      ? []
      : [small.line * linesOf(`${figures}. ${note ?? ''} ${voteFigureTexts.why}`, small.columns)]),
    ...(leader === null ? [] : [answer.line * linesOf(leader, answer.columns)]),
    small.line * linesOf(`${texts.note} ${license.label} ${license.name}`, small.columns),
  ];
  const parts = (of: readonly number[]) => sum([frame.kicker, head, ...of, frame.links], frame.gap);
  const needed = isClosed(poll) ? parts(closed) : Math.max(parts(open), parts(closed));
  return Math.ceil(frame.padding + needed + frame.spare);
}

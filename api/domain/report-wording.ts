import { circumstanceNames } from '#contract/vocabulary.ts';
import type { Circumstance } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import type { Poll, Provenance } from '#api/polls/polls.contract.ts';
import { provenanceFields } from '#contract/vocabulary.ts';
import { laterNeededText, neededText } from '#texts/protection-note.ts';
import { voteFigureTexts } from '#texts/integrity.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { pinnedBy } from './pinned-options.ts';
import { isVotedHere, provenanceOf } from './origin.ts';
import { isBlank, isBlankHtml, isolated, trimText } from './visible-text.ts';
import { cutText, leadOf, sharePercent } from './poll-results.ts';
import type { Result } from './poll-results.ts';
import { isProvisional } from './vote-figures.ts';
import { figuresSentence } from './figure-sentences.ts';
import type { PollFigures } from './vote-figures.ts';

type Sentence = (leader: string, percent: string, votes: string, ahead: string) => string;

/** The texts that a report is assembled from; defined in content/texts/report.ts. */
interface ReportWords {
  readonly votes: (count: number, formatted: string) => string;
  readonly quoted: (text: string) => string;
  readonly list: (texts: readonly string[]) => string;
  readonly percent: (formatted: string) => string;
  readonly points: (formatted: string) => string;
  readonly hardlyAnyPoints: string;
  readonly ahead: (points: string, runnerUp: string) => string;
  readonly nobody: string;
  readonly noneCounted: string;
  readonly provisional: string;
  readonly tie: (options: string, percent: string, votes: string) => string;
  readonly single: Sentence;
  readonly split: Sentence;
  readonly narrow: Sentence;
  readonly other: Sentence;
  readonly landslide: Sentence;
  readonly unpopular: Sentence;
  readonly consensus: Sentence;
  readonly plurality: Sentence;
  readonly moderate: Sentence;
  readonly divided: Sentence;
  readonly few: string;
  readonly explainNobody: string;
  readonly explainNoneCounted: string;
  readonly explainProvisional: string;
  readonly explainTie: string;
  readonly explainSingle: string;
  readonly explainSplit: string;
  readonly explainNarrow: string;
  readonly explainOther: string;
  readonly explainLandslide: string;
  readonly explainUnpopular: string;
  readonly explainConsensus: string;
  readonly explainPlurality: string;
  readonly explainModerate: string;
  readonly explainDivided: string;
  readonly margin: (leader: string, runnerUp: string, points: string) => string;
  readonly standard: string;
  readonly imported: (isDescribed: boolean) => string;
  readonly both: string;
  /** About an order of answers that varied; `pinned` are those at the end that did not move. */
  readonly varied: (pinned: number) => string;
  /** About votes that are counted apart, by circumstance. */
  readonly apart: Readonly<Record<Circumstance, (count: number, formatted: string) => string>>;
  readonly provenance: Readonly<Record<keyof Provenance, (text: string) => string>>;
}

/** How decisive a result is. */
type Verdict =
  | ('provisional' | 'nobody' | 'single' | 'tie' | 'split' | 'narrow' | 'other')
  | ('landslide' | 'consensus' | 'plurality' | 'moderate' | 'unpopular' | 'divided');

/** A lead below this many percentage points is close, whatever the leading share. */
const closePoints = 3;
/** Percent of the two leading answers from which a close result divides those who voted in two. */
const splitShare = 80;
/** Percent from which a consensus is a landslide. */
const landslideShare = 75;
/** Percent below which the first of at least {@link manyOptions} options is nobody’s favorite. */
const unpopularShare = 25;
const manyOptions = 5;

/** Answers for whoever finds no other one: “Other (please specify),” “Another Pokémon.” */
const otherAnswer =
  /^(others?|something else|none of (these|those|the above|them)|another( [\p{L}’'-]+)?)( \([^)]*\))?[.…:!?]*$/iu;

/**
 * The verdict by the lead and the leading share p of the counted votes. A lead of less than 3 percentage points is close, and
 * so is one that independent votes don’t confirm. Otherwise p > 50 is a consensus, > 40 a plurality, > 30 a moderate lead,
 * and less divided opinion. While votes are held for a decision there is none.
 */
export function verdictOf(result: Result & Pick<PollFigures, 'independent'>): Verdict {
  if (isProvisional(result)) return 'provisional';
  const { leaders, share, margin, runnerUp } = leadOf(result);
  const [leader] = leaders;
  if (result.totalVotes === 0 || leader === undefined) return 'nobody';
  if (result.totalVotes === 1) return 'single';
  if (leaders.length > 1) return 'tie';
  const isConfirmed = result.independent?.leaders.includes(leader.id) ?? true;
  if (margin < closePoints || !isConfirmed)
    return sharePercent(leader.votes + (runnerUp?.votes ?? 0), result.totalVotes) >= splitShare ? 'split' : 'narrow';
  if (otherAnswer.test(leader.text.trim())) return 'other';
  if (share >= landslideShare) return 'landslide';
  if (share > 50) return 'consensus';
  if (share > 40) return 'plurality';
  if (share > 30) return 'moderate';
  return share < unpopularShare && result.options.length >= manyOptions ? 'unpopular' : 'divided';
}

const counts = new Intl.NumberFormat('en-US');
const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Characters of an option’s text in the summary, so that it stays one sentence. */
const briefOption = 60;

/** The generated texts of a report: one summary line and the paragraphs of an analysis (plain text). */
interface GeneratedReport {
  readonly summary: string;
  readonly analysis: readonly string[];
}

/** Describes a result: leader, margin, verdict. Never a margin of error, since the sample is not random. */
export function generateReport(result: Result & PollFigures, words: ReportWords): GeneratedReport {
  const { totalVotes } = result;
  const verdict = verdictOf(result);
  if (verdict === 'provisional') return { summary: words.provisional, analysis: [words.explainProvisional] };
  if (verdict === 'nobody')
    return figuresSentence(result) === null
      ? { summary: words.nobody, analysis: [words.explainNobody] }
      : { summary: words.noneCounted, analysis: [words.explainNoneCounted] };

  const { leaders, share, margin, runnerUp } = leadOf(result);
  const quote = (text: string) => words.quoted(isolated(text));
  const brief = (text: string) => quote(cutText(text, briefOption));
  const votes = words.votes(totalVotes, counts.format(totalVotes));
  const percent = words.percent(oneDecimal.format(Math.round(share * 10) / 10));
  const points = margin < 0.05 ? words.hardlyAnyPoints : words.points(oneDecimal.format(margin));
  const leader = quote(leaders[0]!.text);
  const behind = runnerUp && quote(runnerUp.text);

  const headline =
    verdict === 'tie'
      ? words.tie(words.list(leaders.map(({ text }) => brief(text))), percent, votes)
      : words[verdict](
          brief(leaders[0]!.text),
          percent,
          votes,
          runnerUp === undefined ? '' : words.ahead(points, brief(runnerUp.text)),
        );
  const explanation = {
    single: words.explainSingle,
    tie: words.explainTie,
    split: words.explainSplit,
    narrow: words.explainNarrow,
    other: words.explainOther,
    landslide: words.explainLandslide,
    unpopular: words.explainUnpopular,
    consensus: words.explainConsensus,
    plurality: words.explainPlurality,
    moderate: words.explainModerate,
    divided: words.explainDivided,
  }[verdict];
  const few = totalVotes < limits.fewVotes && verdict !== 'single' ? [words.few] : [];

  return {
    summary: [headline, ...few].join(' '),
    analysis: [
      [explanation, ...(behind === undefined ? [] : [words.margin(leader, behind, points)])].join(' '),
      ...few,
    ],
  };
}

/** The texts of a report: the operator’s own, or generated ones where there are none. */
export interface ReportProse {
  /** The finding: what the operator wrote, or the result in a sentence. */
  readonly summary: string;
  /** Whether a program wrote the summary. */
  readonly isGenerated: boolean;
  /** The operator’s HTML (sanitized at import), or generated paragraphs of plain text. */
  readonly analysis: { readonly html: string } | { readonly paragraphs: readonly string[] };
  /** Paragraphs of plain text; the last one is the standard paragraph, unless all answers were imported. */
  readonly methodology: readonly string[];
}

const given = (text: string | null) => trimText(text ?? '') || undefined;

/** The texts of a poll's report page. */
export function reportProse(
  poll: Result &
    PollFigures &
    Pick<
      Poll,
      | (
          | 'summary'
          | 'analysis'
          | 'methodologyNotes'
          | 'publishBallots'
          | 'protection'
          | 'protectionRaises'
          | 'optionOrder'
        )
      | ('origin' | 'provenance' | 'votesApart')
    >,
  words: ReportWords,
): ReportProse {
  const generated = generateReport(poll, words);
  // What the operator wrote may name a leader that held votes could change.
  const summary = isProvisional(poll) ? undefined : given(poll.summary);
  const html = isBlankHtml(poll.analysis ?? '') ? undefined : given(poll.analysis);
  const notes = given(poll.methodologyNotes)?.split(/\n\s*\n/) ?? [];
  return {
    summary: summary ?? generated.summary,
    isGenerated: summary === undefined,
    analysis: html === undefined ? { paragraphs: generated.analysis } : { html },
    methodology: methodologyOf(
      poll,
      notes.filter((note) => !isBlank(note) && note.trim() !== words.standard),
      words,
    ),
  };
}

/** The paragraphs about the method, by where the answers come from; `notes` are the operator’s. */
function methodologyOf(
  poll: Pick<
    Poll,
    'publishBallots' | 'protection' | 'protectionRaises' | 'optionOrder' | 'origin' | 'provenance' | 'votesApart'
  >,
  notes: readonly string[],
  words: ReportWords,
): readonly string[] {
  const provenance = provenanceOf(poll);
  const stated = provenanceFields.flatMap((field) => {
    const text = provenance[field];
    return text === undefined ? [] : [words.provenance[field](text)];
  });
  const described = [...notes, ...(stated.length === 0 ? [] : [stated.join(' ')])];
  // The rules of this site don’t apply to answers that were given elsewhere.
  if (!isVotedHere(poll)) return [...described, words.imported(described.length > 0)];
  return [
    ...described,
    ...(poll.origin === 'both' ? [words.both] : []),
    ...(poll.publishBallots === false ? [voteFigureTexts.unpublished] : []),
    ...protectionSentences(poll),
    ...orderSentences(poll, words),
    ...circumstanceNames.flatMap((name) => {
      const count = poll.votesApart?.[name] ?? 0;
      return count === 0 ? [] : [words.apart[name](count, counts.format(count))];
    }),
    words.standard,
  ];
}

function orderSentences({ optionOrder }: Pick<Poll, 'optionOrder'>, words: ReportWords): string[] {
  const pinned = pinnedBy(optionOrder);
  return pinned === null ? [] : [words.varied(pinned)];
}

/** Direction of the wind vane, 0 to 1: the share of the leading option. Undefined if none leads. */
export function vaneShare(result: Result): number | undefined {
  const [leader] = leadOf(result).leaders;
  return leader && Math.min(1, sharePercent(leader.votes, result.totalVotes) / 100);
}

/**
 * The citation of a result: one line with author, question, site, date, counted votes, and, where they differ, votes
 * received; `report` is the URL of the report, and `closed` the day on which it closed.
 */
export function citationOf(
  poll: Pick<Poll, 'question' | 'author' | 'closedAt' | 'endsAt' | 'origin' | 'provenance'> & PollFigures,
  siteName: string,
  report: string,
  closed: string,
): string {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  return sharingTexts.cite.line({
    author: poll.author === null || oneLine(poll.author) === '' ? siteName : oneLine(poll.author),
    question: oneLine(poll.question),
    siteName,
    closed,
    votes: sharingTexts.cite.votes(counts.format(poll.totalVotes), poll.totalVotes, figuresSentence(poll), {
      origin: poll.origin,
      source: provenanceOf(poll).source,
    }),
    report,
  });
}

/** What votes needed; nothing for any browser. */
function protectionSentences({
  protection,
  protectionRaises = [],
}: Pick<Poll, 'protection' | 'protectionRaises' | 'optionOrder'>) {
  if (protection === undefined || protection === 'browser') return [];
  if (protectionRaises.length === 0) return [neededText(protection, true)];
  return protectionRaises.map(({ level, votesBefore }) => laterNeededText(level, votesBefore.toLocaleString('en-US')));
}

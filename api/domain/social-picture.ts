import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll, PollOption } from '#api/polls/polls.contract.ts';
import { categoryLabel, leadOf, percentOneDecimal, topResults } from './poll-results.ts';
import { resultTexts } from '#texts/shell.ts';
import { vaneShare } from './report-wording.ts';
import { figuresOf, isProvisional } from './vote-figures.ts';
import { otherLeader } from './figure-sentences.ts';
import type { PollFigures } from './vote-figures.ts';

/** The contents of a link preview picture. Only the picture of a closed poll shows a result. */
export type SocialPicture =
  | { readonly kind: 'site' }
  | { readonly kind: 'article'; readonly title: string; readonly category: string }
  | OpenPicture
  | ResultPicture;

/** The picture of a poll without its result. */
interface OpenPicture {
  readonly kind: 'open';
  readonly question: string;
  readonly category: string | null;
  /** In the poll’s own order; from eleven on, “Other answers” is the tenth. */
  readonly options: readonly string[];
  /** Where a vote chooses several of them. */
  readonly method?: CommunityPoll['method'];
}

/** The picture of a closed poll. */
export interface ResultPicture {
  readonly kind: 'result';
  readonly question: string;
  readonly category: string | null;
  /** When the poll closed, ISO 8601; null if that is not known. */
  readonly closedAt: string | null;
  /** All options with the most votes; empty without counted votes, and while votes are held for a decision. */
  readonly leaders: readonly string[];
  /** Share of one leader in percent, with one decimal as on the report. */
  readonly percent: number;
  /** Direction of the wind vane, 0 to 1; undefined if no option leads. */
  readonly share: number | undefined;
  /** Counted votes. */
  readonly votes: number;
  /** Every answer, most votes first; empty without counted votes. */
  readonly bars: readonly PictureBar[];
  /** Votes received, where more were received than counted. */
  readonly received?: number;
  /** Independent votes, where the detector flagged some. */
  readonly independent?: number;
  /** That independent votes have another leader. */
  readonly otherLeader?: true;
  /** Votes wait for a decision. */
  readonly provisional?: true;
  /** Votes chose several answers: the shares are those of voters. */
  readonly several?: true;
  /** Of a ranked poll: the last round, whose votes the shares are of. */
  readonly lastRound?: { readonly number: number; readonly votes: number };
}

/** An answer with its share in percent, with one decimal. */
export interface PictureBar {
  readonly text: string;
  readonly percent: number;
  /** In the poll’s own order, which determines the color; null for the sum of several. */
  readonly position: number | null;
}

/** Answers that fit into a picture. */
const maxBars = 10;

/** The picture of an article. */
export function pictureOfArticle({ title, category }: { title: string; category: string }): SocialPicture {
  return { kind: 'article', title, category };
}

interface Pictured extends PollFigures {
  readonly question: string;
  readonly method?: CommunityPoll['method'] | undefined;
  readonly maxChoices?: number | undefined;
  readonly runoff?: CommunityPoll['runoff'];
  readonly category: string | null;
  readonly isActive: boolean;
  readonly endsAt: string | null;
  readonly closedAt: string | null;
}

/** The picture of a poll; without counts while the poll is open. */
export function pictureOfPoll(poll: Pick<Poll, (keyof Pictured & keyof Poll) | 'options'>): SocialPicture {
  return pictureOf(poll, poll.options);
}

/** The picture of a community poll; the generic one for a poll that is not public. */
export function pictureOfCommunityPoll(
  poll: Pick<CommunityPoll, keyof Pictured | 'options' | 'visibility'>,
): SocialPicture {
  if (poll.visibility !== 'public') return { kind: 'site' };
  const counted = poll.options.flatMap(({ id, text, votes }) => (votes === null ? [] : [{ id, text, votes }]));
  // Results that the creator keeps are in no picture, even after the end.
  return counted.length === 0 ? questionPicture(poll, poll.options) : pictureOf(poll, counted);
}

function pictureOf(poll: Pictured, options: readonly PollOption[]): SocialPicture {
  if (poll.isActive && poll.closedAt === null) return questionPicture(poll, options);
  const { question, category, runoff } = poll;
  const last = runoff?.rounds.at(-1);
  const shown = last ? options.map((option, place) => ({ ...option, votes: last.votes[place] ?? 0 })) : options;
  const total = last ? shown.reduce((sum, { votes }) => sum + votes, 0) : undefined;
  const result = { ...poll, options: shown, ...(total !== undefined && { totalVotes: total }) };
  const { leaders, share } = leadOf(result);
  const { receivedVotes, countedVotes } = figuresOf(poll);
  return {
    kind: 'result',
    question,
    category: labelOf(category),
    closedAt: poll.closedAt ?? poll.endsAt,
    leaders: leaders.map(({ text }) => text),
    percent: Math.round(share * 10) / 10,
    share: vaneShare(result),
    votes: countedVotes,
    bars: barsOf(shown, total ?? countedVotes).filter(({ percent }) => !last || percent > 0),
    ...(receivedVotes !== countedVotes && { received: receivedVotes }),
    ...(poll.independent !== undefined && { independent: poll.independent.votes }),
    ...(!runoff && otherLeader(result) !== null && { otherLeader: true }),
    ...(isProvisional(poll) && { provisional: true }),
    ...(runoff
      ? { lastRound: { number: runoff.rounds.length, votes: total ?? 0 } }
      : poll.maxChoices !== undefined && { several: true }),
  };
}

const labelOf = (category: string | null) => (category === null || category === '' ? null : categoryLabel(category));

function questionPicture(
  { question, category, method }: Pick<Pictured, 'question' | 'category' | 'method'>,
  options: readonly { readonly text: string }[],
): OpenPicture {
  const texts = options.map(({ text }) => text);
  const shown = texts.length <= maxBars ? texts : [...texts.slice(0, maxBars - 1), resultTexts.others];
  return { kind: 'open', question, category: labelOf(category), options: shown, ...(method && { method }) };
}

/** Every answer of a result; if they are too many, the last bar is the sum of the others. */
function barsOf(options: readonly PollOption[], total: number): readonly PictureBar[] {
  if (total === 0) return [];
  const { top, otherVotes } = topResults(options, options.length <= maxBars ? maxBars : maxBars - 1);
  const bars = top.map(({ text, votes, position }) => ({ text, percent: percentOneDecimal(votes, total), position }));
  return otherVotes === null
    ? bars
    : [...bars, { text: resultTexts.others, percent: percentOneDecimal(otherVotes, total), position: null }];
}

import type { CommunityPoll } from '#contract/community-poll.ts';
import type { Poll, PollOption } from '#contract/poll.ts';
import { categoryLabel, leadOf } from './poll-results.ts';
import { vaneShare } from './report-wording.ts';
import { figuresOf, isProvisional } from './vote-figures.ts';
import type { PollFigures } from './vote-figures.ts';

/** The contents of a link preview picture. Only the picture of a closed poll shows a result. */
export type SocialPicture =
  | { readonly kind: 'site' }
  | { readonly kind: 'article'; readonly title: string; readonly category: string }
  | { readonly kind: 'open'; readonly question: string; readonly category: string | null }
  | ResultPicture;

/** The picture of a closed poll. */
export interface ResultPicture {
  readonly kind: 'result';
  readonly question: string;
  readonly category: string | null;
  /** All options with the most votes; empty without counted votes, and while votes are held for a decision. */
  readonly leaders: readonly string[];
  /** Share of one leader in percent, with one decimal as on the report. */
  readonly percent: number;
  /** Direction of the wind vane, 0 to 1; undefined if no option leads. */
  readonly share: number | undefined;
  /** Counted votes. */
  readonly votes: number;
  /** Votes received, where more were received than counted. */
  readonly received?: number;
  /** Votes wait for a decision. */
  readonly provisional?: true;
}

/** The picture of an article. */
export function pictureOfArticle({ title, category }: { title: string; category: string }): SocialPicture {
  return { kind: 'article', title, category };
}

interface Pictured extends PollFigures {
  readonly question: string;
  readonly category: string | null;
  readonly isActive: boolean;
  readonly closedAt: string | null;
}

/** The picture of a poll; without counts while the poll is open. */
export function pictureOfPoll(poll: Pick<Poll, keyof Pictured | 'options'>): SocialPicture {
  return pictureOf(poll, poll.options);
}

/** The picture of a community poll; the generic one for a poll that is not public. */
export function pictureOfCommunityPoll(
  poll: Pick<CommunityPoll, keyof Pictured | 'options' | 'visibility'>,
): SocialPicture {
  if (poll.visibility !== 'public') return { kind: 'site' };
  const counted = poll.options.map(({ id, text, votes }) => ({ id, text, votes: votes ?? 0 }));
  return pictureOf(poll, counted);
}

function pictureOf(poll: Pictured, options: readonly PollOption[]): SocialPicture {
  const { question } = poll;
  const category = poll.category === null || poll.category === '' ? null : categoryLabel(poll.category);
  if (poll.isActive && poll.closedAt === null) return { kind: 'open', question, category };
  const result = { ...poll, options };
  const { leaders, share } = leadOf(result);
  const { receivedVotes, countedVotes } = figuresOf(poll);
  return {
    kind: 'result',
    question,
    category,
    leaders: leaders.map(({ text }) => text),
    percent: Math.round(share * 10) / 10,
    share: vaneShare(result),
    votes: countedVotes,
    ...(receivedVotes !== countedVotes && { received: receivedVotes }),
    ...(isProvisional(poll) && { provisional: true }),
  };
}

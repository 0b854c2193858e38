import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import type { Poll, PollOption } from '#api/polls/polls.contract.ts';

/** A poll of either kind, as this visitor may see it; a weekly poll has none of the fields that only community polls have. */
export type AnyPoll = Pick<CommunityPoll, keyof Poll & keyof CommunityPoll> & Partial<CommunityPoll>;

export const isCommunity = (poll: AnyPoll): poll is CommunityPoll => poll.visibility !== undefined;

/** Path of the list of community polls. */
export const communityPath = '/community-polls';

/** Path of the poll’s page. */
export const pollPath = ({ id, visibility }: Pick<AnyPoll, 'id' | 'visibility'>): string =>
  `${visibility === undefined ? '/poll' : communityPath}/${id}`;

/** Id of a poll’s card on a page with several. */
export const cardId = (pollId: string) => `card-${pollId}`;

/** The field of a ballot’s form with the id of a chosen option. */
export const optionField = 'optionId';
/** What comes before an option’s id in the name of the field with its rank. */
export const rankField = 'rank-';

/** What an answer that somebody writes has before its text where others have ids, none of which begin like this. */
export const writtenMark = '+';
/** The field with that text. */
export const writtenField = 'writeIn';

/** The text of a chosen answer, if somebody wrote it. */
export const writtenIn = (chosen: readonly string[]) =>
  chosen[0]?.startsWith(writtenMark) ? chosen[0].slice(1) : undefined;

/** What a request says of the chosen options. */
export const chosenOf = (ids: readonly string[]) =>
  ids.length > 1
    ? { optionIds: [...ids] }
    : writtenIn(ids) === undefined
      ? { optionId: ids[0]! }
      : { writeIn: writtenIn(ids)! };

/** The hash of a link to the page of an open poll that marks an option there. */
export const choiceHash = (optionId: string): string => `#choice=${encodeURIComponent(optionId)}`;

/** How many options a vote chooses. */
export const choicesOf = ({
  minChoices: min = 1,
  maxChoices: max = 1,
}: Pick<Partial<AnyPoll>, 'minChoices' | 'maxChoices'>) => ({ min, max });

/** The ids of the options that this visitor voted for. */
export const ownVotes = ({ userVote, userVotes = userVote === null ? [] : [userVote] }: AnyPoll): readonly string[] =>
  userVotes;

/** The texts of these options. */
export const ownTexts = (poll: AnyPoll): readonly string[] =>
  ownVotes(poll).flatMap((id) => poll.options.find((option) => option.id === id)?.text ?? []);

/** The choice is kept until the vote is recorded, so a failed vote can be retried. */
export type VoteState =
  | { readonly kind: 'upcoming' }
  | { readonly kind: 'unvoted'; readonly choice: readonly string[]; readonly problem: string | null }
  /** `checking`: the browser is solving a challenge. */
  | { readonly kind: 'pending'; readonly choice: readonly string[]; readonly checking: boolean }
  /** `fresh`: recorded while this page was open, so the bars animate. */
  | { readonly kind: 'voted'; readonly fresh: boolean }
  | { readonly kind: 'closed'; readonly fresh: boolean };

/** Whether the server says the poll is closed; the browser’s clock doesn’t count. */
export function isClosed(poll: Pick<AnyPoll, 'isActive' | 'closedAt'>): boolean {
  return !poll.isActive || poll.closedAt !== null;
}

/** What this visitor can do with a poll. */
export type Standing = 'upcoming' | 'unvoted' | 'voted' | 'closed';

export function standingOf(poll: Pick<AnyPoll, 'isActive' | 'closedAt' | 'hasVoted'>, started: boolean): Standing {
  if (isClosed(poll)) return 'closed';
  return poll.hasVoted ? 'voted' : started ? 'unvoted' : 'upcoming';
}

/** The options with counts; null while the server withholds any count. */
export function countedOptions({ options }: Pick<AnyPoll, 'options'>): readonly PollOption[] | null {
  const counted = options.flatMap(({ id, text, votes }) => (votes === null ? [] : [{ id, text, votes }]));
  return counted.length === options.length ? counted : null;
}

import { displayNameOf } from '#api/members/accounts/user.model.ts';
import type { PublicUser } from '#api/members/accounts/user.model.ts';
import { presentFigures, presentIndependent, presentVotesApart } from '#api/voting/decision.model.ts';
import type { CircumstanceColumn } from '#domain/integrity/vote-traits.ts';
import type { DecidedBallot } from '#api/voting/decision.model.ts';
import { totalOf } from '#api/voting/choices.model.ts';
import type { Chosen } from '#api/voting/choices.model.ts';
import { lifespanOf, presentOrder, presentProtection } from '#api/voting/ballot.model.ts';
import type { BallotModel, BallotOptionModel, BallotTimes } from '#api/voting/ballot.model.ts';
import type { CommunityPoll } from './community-polls.contract.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { showsResults } from '#domain/poll-visibility.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { communityApiTexts } from '#texts/community.ts';
import type { CommunityPollModel } from './community-poll.model.ts';

/** What the presenter reads of a poll: its row, its ballot with the options in order, and its creator. */
export type PresentedPoll = Pick<
  CommunityPollModel,
  | 'id'
  | 'question'
  | 'description'
  | 'visibility'
  | 'taken_down_by'
  | 'taken_down_from'
  | 'result_visibility'
  | 'comments_open'
  | 'edited_at'
  | 'category'
  | 'tags'
  | 'featured'
  | 'created_by'
  | 'created_at'
  | 'comment_count'
> & {
  readonly creator?: PublicUser | null;
  readonly ballot: BallotTimes &
    DecidedBallot &
    Pick<BallotModel, 'publish_ballots' | 'protection' | 'protection_raises' | 'independent' | 'log_difference'> &
    Pick<BallotModel, 'id' | 'key' | 'option_order' | 'method' | 'min_choices' | 'max_choices' | 'total_votes'> &
    Pick<BallotModel, 'write_ins' | 'written'> & {
      readonly options: readonly Pick<
        BallotOptionModel,
        'option_id' | 'text' | 'votes' | 'base_votes' | 'written' | 'decided_at' | 'merged' | CircumstanceColumn
      >[];
    };
};

/** Who sees the poll, and what this voter recorded on it. */
export interface Viewer {
  readonly userId: string | null;
  readonly userVote: string | null;
  readonly further?: Chosen['further'];
  /** Options that this voter could not choose yet. */
  readonly missed?: readonly string[];
  /** Guest ids by poll, for the polls that the viewer created. */
  readonly guests: ReadonlyMap<string, readonly string[]>;
}

/** A community poll as a viewer sees it at the moment `now`: with counts if its result visibility allows that. */
export function presentCommunityPoll(
  poll: PresentedPoll,
  now: number,
  { userId, userVote: recorded, further = [], missed = [], guests }: Viewer,
): CommunityPoll {
  const { ballot } = poll;
  // The sweep that closes polls may be late; the clock decides what is shown.
  const span = lifespanOf(ballot);
  const closed = phaseOf(span, now) === 'closed';
  const totalVotes = totalOf(ballot, ballot.options);
  const isSingle = ballot.method === 'single';
  // The vote for a merged answer counts for another option.
  const into = recorded === null ? undefined : ballot.options.find(({ merged = [] }) => merged.includes(recorded));
  const named = into?.option_id ?? recorded;
  const writtenVote = ballot.written?.get(recorded ?? '');
  const offered = ballot.options.map(({ option_id: id }) => id);
  const own = named === null ? [] : [named, ...further].filter((id) => offered.includes(id));
  // The order in which a vote for several names them says nothing.
  const chosen = ballot.method === 'ranked' ? own : offered.filter((id) => own.includes(id));
  const userVote = isSingle ? named : (chosen[0] ?? null);
  const visibility = poll.taken_down_from ?? poll.visibility;
  const isMine = userId !== null && userId === poll.created_by;
  const resultVisibility = poll.result_visibility;
  const showsCounts = showsResults(resultVisibility, { isCreator: isMine, hasVoted: userVote !== null }, closed);
  return {
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: ballot.options.map(({ option_id, text, votes, written, decided_at, merged = [] }) => ({
      id: option_id,
      text,
      votes: showsCounts ? votes : null,
      ...(written !== null && { addedAt: iso(decided_at!) }),
      ...(merged.length > 0 && { merged: [...merged] }),
    })),
    totalVotes,
    ...(!isSingle && { method: ballot.method, minChoices: ballot.min_choices, maxChoices: ballot.max_choices }),
    ...presentFigures(ballot, totalVotes),
    ...(showsCounts && presentIndependent(ballot.independent, ballot.options)),
    ...(showsCounts && presentVotesApart(ballot.options)),
    ...(!ballot.publish_ballots && { publishBallots: false }),
    ...(ballot.log_difference !== null && { differsFromLog: true }),
    ...presentOrder(ballot),
    ...presentProtection(ballot, visibility === 'private' ? 'invited' : undefined),
    ...(resultVisibility !== 'after-voting' && { resultVisibility }),
    ...(!poll.comments_open && { commentsOpen: false }),
    ...(poll.edited_at !== null && { editedAt: iso(poll.edited_at) }),
    isActive: !closed,
    visibility,
    featured: Boolean(poll.featured),
    createdAt: iso(poll.created_at),
    startsAt: iso(ballot.starts_at),
    endsAt: isoOrNull(ballot.ends_at),
    closedAt: isoOrNull(closedMoment(span, now)),
    category: poll.category,
    tags: poll.tags,
    createdByName: poll.creator ? displayNameOf(poll.creator) : communityApiTexts.formerMember,
    createdByUsername: poll.creator?.username ?? null,
    ...(poll.creator?.is_staff && { createdByStaff: true }),
    isMine,
    ...(poll.taken_down_by !== null && { takenDown: true }),
    ...(isMine && { createdBy: userId, allowedUsers: [...(guests.get(poll.id) ?? [])] }),
    hasVoted: userVote !== null,
    userVote,
    ...(!isSingle && { userVotes: chosen }),
    ...(ballot.write_ins && { writeIns: true }),
    ...(writtenVote !== undefined && writtenVote !== 'approved' && { writtenVote }),
    ...(missed.length > 0 && { missedOptions: [...missed] }),
    commentCount: poll.comment_count,
  };
}

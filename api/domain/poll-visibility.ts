import type { ResultVisibility, Visibility } from '#contract/vocabulary.ts';
import { phaseOf } from './poll-lifecycle.ts';
import type { Lifespan } from './poll-lifecycle.ts';

/** The facts about a community poll that the policy needs; times in milliseconds. */
export interface GuardedPoll extends Lifespan {
  readonly visibility: Visibility;
  /** Null once the creator has deleted the account. */
  readonly createdBy: string | null;
  /** By a moderator, or with its suspended creator: only the creator may still read it, or delete it. */
  readonly takenDown: boolean;
  /** The creator has not turned comments off. */
  readonly commentsOpen: boolean;
}

/** Who requests access. */
export interface Viewer {
  /** Null: signed out. */
  readonly userId: string | null;
  /** The creator has invited this member. */
  readonly invited: boolean;
  /** The creator has blocked this member from commenting. */
  readonly blocked: boolean;
}

/** What a viewer may do with a community poll. */
export interface Permissions {
  /** Open the poll: texts, comments, and results where voting or closing allows them. */
  readonly see: boolean;
  /** It appears in lists, feeds, the sitemap, and statistics. */
  readonly list: boolean;
  readonly vote: boolean;
  readonly comment: boolean;
  readonly invite: boolean;
  readonly edit: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  /** Set flagged votes aside, and release them. */
  readonly judge: boolean;
  /** Delete other people's comments on it. */
  readonly moderate: boolean;
}

/** The access policy for community polls, for every read and write. Comments are allowed after the end. */
export function permissionsOf(poll: GuardedPoll, viewer: Viewer, now: number): Permissions {
  const isCreator = viewer.userId !== null && viewer.userId === poll.createdBy;
  const shown = !poll.takenDown;
  const invited = viewer.userId !== null && viewer.invited;
  const see = isCreator || (shown && (poll.visibility !== 'private' || invited));
  const phase = phaseOf(poll, now);
  return {
    see,
    list: shown && poll.visibility === 'public',
    vote: see && shown && phase === 'open',
    comment: see && shown && viewer.userId !== null && (isCreator || (poll.commentsOpen && !viewer.blocked)),
    invite: isCreator && shown && poll.visibility === 'private',
    edit: isCreator && shown,
    close: isCreator && phase !== 'closed',
    delete: isCreator,
    judge: isCreator,
    moderate: isCreator,
  };
}

/**
 * Whether someone sees the results of a community poll, which are otherwise sent to nobody: wherever a response, page,
 * picture, or file may have results, this decides. Creators always do.
 */
export function showsResults(
  resultVisibility: ResultVisibility,
  viewer: { readonly isCreator: boolean; readonly hasVoted: boolean },
  closed: boolean,
): boolean {
  if (viewer.isCreator || resultVisibility === 'always') return true;
  return resultVisibility !== 'creator' && (closed || (resultVisibility === 'after-voting' && viewer.hasVoted));
}

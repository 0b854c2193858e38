import type { Comment } from '#api/comments/comments.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';

/** The loaded comments, newest first and without gaps. */
export interface Discussion {
  readonly comments: readonly Comment[];
  /** Older comments exist. */
  readonly more: boolean;
  /** How many comments the poll had when the newest ones were loaded. */
  readonly total: number;
}

/** Somebody whom a comment can mention. */
export type Person = Pick<Comment['user'], 'name' | 'username' | 'isCreator' | 'isStaff'>;

/** Whom a comment on the poll can mention: those who wrote the loaded comments, newest first, and its creator; not the reader. */
export function peopleOf(comments: readonly Comment[], poll: CommunityPoll | undefined): readonly Person[] {
  const people = new Map<string, Person>();
  for (const { user, isMine, removed } of comments.flatMap((comment) => [comment, ...(comment.replies ?? [])]))
    if (!isMine && !removed && !people.has(user.username)) people.set(user.username, user);
  const username = poll?.createdByUsername ?? null;
  if (poll && !poll.isMine && username !== null && !people.has(username))
    people.set(username, { name: poll.createdByName, username, isCreator: true, isStaff: poll.createdByStaff });
  return [...people.values()];
}

function isOlder(a: Comment, b: Comment): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}

/** The discussion in a page that has the newest comments of `total`, replies included. */
export function asRendered(comments: readonly Comment[], total: number): Discussion {
  return { comments, more: shownOf(comments) < total, total };
}

/**
 * The discussion after reloading its newest page: comments missing from that page were deleted. If there are so many new
 * comments that the page doesn’t reach the known ones, it replaces them.
 */
export function withNewest(loaded: Discussion | undefined, newest: readonly Comment[], total: number): Discussion {
  const last = newest.at(-1);
  if (last === undefined || newest.length < limits.commentPageSize)
    return { comments: newest.map((comment) => keepingReplies(loaded, comment)), more: false, total };
  const ids = new Set(newest.map(({ id }) => id));
  const overlaps = loaded?.comments.some(({ id }) => ids.has(id)) ?? false;
  const rest = overlaps ? (loaded?.comments ?? []).filter((comment) => isOlder(comment, last)) : [];
  const comments = [...newest.map((comment) => keepingReplies(loaded, comment)), ...rest];
  return { comments, more: rest.length > 0 ? (loaded?.more ?? false) : total !== shownOf(comments), total };
}

/** A reloaded comment with the replies that its reader had loaded after the first ones. */
function keepingReplies(loaded: Discussion | undefined, comment: Comment): Comment {
  const last = comment.replies?.at(-1);
  const known = loaded?.comments.find(({ id }) => id === comment.id)?.replies ?? [];
  if (last === undefined || unloadedReplies(comment) === 0) return comment;
  return { ...comment, replies: [...comment.replies!, ...known.filter((reply) => isOlder(last, reply))] };
}

/** The discussion with one more page of older comments. */
export function withOlder(loaded: Discussion, older: readonly Comment[]): Discussion {
  const last = loaded.comments.at(-1);
  const fresh = older.filter((comment) => last === undefined || isOlder(comment, last));
  const comments = [...loaded.comments, ...fresh];
  // The last page may be full.
  return { ...loaded, comments, more: older.length === limits.commentPageSize && loaded.total !== shownOf(comments) };
}

/**
 * The discussion with a newly posted comment, added once. A reply is added to those it follows if they are loaded, and
 * otherwise counted.
 */
export function withOwn(loaded: Discussion, comment: Comment): Discussion {
  if (findComment(loaded, comment.id)) return loaded;
  if (comment.replyTo !== undefined) {
    const comments = changed(loaded.comments, comment.replyTo, (parent) => ({
      ...parent,
      replies: unloadedReplies(parent) === 0 ? [...(parent.replies ?? []), comment] : (parent.replies ?? []),
      replyCount: (parent.replyCount ?? 0) + 1,
    }));
    return { ...loaded, comments, total: loaded.total + 1 };
  }
  return { ...loaded, comments: [comment, ...loaded.comments], total: loaded.total + 1 };
}

/** The discussion with the next replies to a comment. */
export function withReplies(loaded: Discussion, commentId: string, next: readonly Comment[]): Discussion {
  const comments = changed(loaded.comments, commentId, (parent) => {
    const known = parent.replies ?? [];
    const last = known.at(-1);
    return { ...parent, replies: [...known, ...next.filter((reply) => last === undefined || isOlder(last, reply))] };
  });
  return { ...loaded, comments };
}

/** The discussion with a new version of one of its comments. */
export function withEdited(loaded: Discussion, edited: Comment): Discussion {
  const comments = changed(loaded.comments, edited.id, ({ replies, replyCount }) => ({
    ...edited,
    ...(replies && { replies }),
    ...(replyCount !== undefined && { replyCount }),
  }));
  return { ...loaded, comments };
}

export function withoutComment(loaded: Discussion, id: string): Discussion {
  const gone = findComment(loaded, id);
  if (!gone) return loaded;
  const by = gone.hidden ? 0 : 1;
  const comments =
    gone.replyTo === undefined
      ? loaded.comments.filter((comment) => comment.id !== id)
      : changed(loaded.comments, gone.replyTo, (parent) => ({
          ...parent,
          replies: parent.replies?.filter((reply) => reply.id !== id) ?? [],
          replyCount: (parent.replyCount ?? 0) - by,
        }));
  return { ...loaded, comments, total: loaded.total - by };
}

/** A comment or reply of the discussion. */
export function findComment({ comments }: Discussion, id: string): Comment | undefined {
  return comments.flatMap((comment) => [comment, ...(comment.replies ?? [])]).find((comment) => comment.id === id);
}

/** How many replies to a comment are not loaded. */
export function unloadedReplies({ replies = [], replyCount = 0 }: Comment): number {
  return Math.max(0, replyCount - replies.filter(({ hidden }) => !hidden).length);
}

/** The comments with one of them, or one of their replies, changed. */
function changed(comments: readonly Comment[], id: string, change: (comment: Comment) => Comment): Comment[] {
  return comments.map((comment) => {
    if (comment.id === id) return change(comment);
    if (!comment.replies?.some((reply) => reply.id === id)) return comment;
    return { ...comment, replies: changed(comment.replies, id, change) };
  });
}

/** How many of them and their replies everyone sees: those that the poll’s creator hid aren’t counted. */
const shownOf = (comments: readonly Comment[]) =>
  comments.reduce((sum, { hidden, removed, replyCount = 0 }) => sum + (hidden || removed ? 0 : 1) + replyCount, 0);

/** The discussion after its reader, the creator of the poll, hid a comment or showed it again. */
export function withHidden(loaded: Discussion, id: string, hidden: boolean): Discussion {
  const before = findComment(loaded, id);
  if (!before || Boolean(before.hidden) === hidden) return loaded;
  const by = hidden ? -1 : 1;
  const hiding = changed(loaded.comments, id, (comment) => ({ ...comment, hidden }));
  const comments =
    before.replyTo === undefined
      ? hiding
      : changed(hiding, before.replyTo, (parent) => ({ ...parent, replyCount: (parent.replyCount ?? 0) + by }));
  return { ...loaded, comments, total: loaded.total + by };
}

/** How many comments the poll has according to the discussion. */
export function countOf(loaded: Discussion): number {
  return loaded.more ? loaded.total : shownOf(loaded.comments);
}

/**
 * How many comments are not shown yet if the poll has `count` in all; negative if some were deleted. Zero if the count
 * hasn’t changed since loading, even if it is wrong.
 */
export function newComments(loaded: Discussion, count: number): number {
  return count === loaded.total ? 0 : count - countOf(loaded);
}

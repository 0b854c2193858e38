import type { Comment } from '#contract/comment.ts';
import * as limits from '#contract/limits.ts';

/** The loaded comments, newest first and without gaps. */
export interface Discussion {
  readonly comments: readonly Comment[];
  /** Older comments exist. */
  readonly more: boolean;
  /** How many comments the poll had when the newest ones were loaded. */
  readonly total: number;
}

function isOlder(a: Comment, b: Comment): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);
}

/**
 * The discussion after reloading its newest page: comments missing from that page were deleted. If there are so many new
 * comments that the page doesn’t reach the known ones, it replaces them.
 */
export function withNewest(loaded: Discussion | undefined, newest: readonly Comment[], total: number): Discussion {
  const last = newest.at(-1);
  if (last === undefined || newest.length < limits.commentPageSize) return { comments: newest, more: false, total };
  const ids = new Set(newest.map(({ id }) => id));
  const overlaps = loaded?.comments.some(({ id }) => ids.has(id)) ?? false;
  const rest = overlaps ? (loaded?.comments ?? []).filter((comment) => isOlder(comment, last)) : [];
  const comments = [...newest, ...rest];
  return { comments, more: rest.length > 0 ? (loaded?.more ?? false) : total !== shownOf(comments), total };
}

/** The discussion with one more page of older comments. */
export function withOlder(loaded: Discussion, older: readonly Comment[]): Discussion {
  const last = loaded.comments.at(-1);
  const fresh = older.filter((comment) => last === undefined || isOlder(comment, last));
  return { ...loaded, comments: [...loaded.comments, ...fresh], more: older.length === limits.commentPageSize };
}

/** The discussion with a newly posted comment, added once. */
export function withOwn(loaded: Discussion, comment: Comment): Discussion {
  if (loaded.comments.some(({ id }) => id === comment.id)) return loaded;
  return { ...loaded, comments: [comment, ...loaded.comments], total: loaded.total + 1 };
}

export function withoutComment(loaded: Discussion, id: string): Discussion {
  const comments = loaded.comments.filter((comment) => comment.id !== id);
  return comments.length === loaded.comments.length
    ? loaded
    : { ...loaded, comments, total: loaded.total + shownOf(comments) - shownOf(loaded.comments) };
}

/** How many of them everyone sees: those that the poll’s creator hid aren’t counted. */
const shownOf = (comments: readonly Comment[]) => comments.filter(({ hidden }) => !hidden).length;

/** The discussion after its reader, the creator of the poll, hid a comment or showed it again. */
export function withHidden(loaded: Discussion, id: string, hidden: boolean): Discussion {
  const comments = loaded.comments.map((comment) => (comment.id === id ? { ...comment, hidden } : comment));
  return { ...loaded, comments, total: loaded.total + shownOf(comments) - shownOf(loaded.comments) };
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

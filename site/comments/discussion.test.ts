import { describe, expect, test } from 'vitest';
import type { Comment } from '#api/comments/comments.contract.ts';
import {
  asRendered,
  countOf,
  newComments,
  unloadedReplies,
  withNewest,
  withOlder,
  withOwn,
  withReplies,
} from './discussion.ts';
import { withHidden, withoutComment } from './discussion.ts';
import type { Discussion } from './discussion.ts';

/** The n-th comment; ranges are newest first. */
const comment = (n: number): Comment => ({
  id: `c${String(n).padStart(4, '0')}`,
  content: `Comment ${n}`,
  createdAt: new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString(),
  isMine: false,
  mayDelete: false,
  user: { name: 'Anna', username: 'anna', firstName: 'Anna', lastName: null, profileImageUrl: null },
});
const range = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, step) => comment(newest - step));
const numbers = ({ comments }: Discussion) => comments.map(({ id }) => Number(id.slice(1)));
const upTo = (newest: number, oldest: number) => numbers({ comments: range(newest, oldest), more: false, total: 0 });

describe('reloading the newest page', () => {
  test('of a short discussion returns all of it', () => {
    const read = withNewest({ comments: range(3, 1), more: false, total: 3 }, range(5, 2), 4);
    expect(numbers(read)).toEqual([5, 4, 3, 2]);
    expect(read.more).toBe(false);
  });

  test('adds new comments before the known ones and keeps the older pages', () => {
    const read = withNewest({ comments: range(120, 21), more: true, total: 120 }, range(122, 73), 122);
    expect(numbers(read)).toEqual(upTo(122, 21));
    expect(read.more).toBe(true);
  });

  test('drops comments deleted in between', () => {
    const newest = [...range(120, 111), ...range(108, 69)];
    const read = withNewest({ comments: range(120, 21), more: false, total: 120 }, newest, 118);
    expect(numbers(read)).toEqual([...upTo(120, 111), ...upTo(108, 21)]);
    expect(read.more).toBe(false);
  });

  test('drops the last known comment if that was deleted', () => {
    const newest = [...range(120, 102), ...range(100, 70)];
    expect(numbers(withNewest({ comments: range(120, 101), more: true, total: 120 }, newest, 119))).toEqual([
      ...upTo(120, 102),
      ...upTo(100, 70),
    ]);
  });

  test('starts over if there are more new comments than fit on a page, so there is never a gap', () => {
    const read = withNewest({ comments: range(60, 1), more: false, total: 60 }, range(200, 151), 200);
    expect(numbers(read)).toEqual(upTo(200, 151));
    expect(read.more).toBe(true);
  });

  test('of exactly one page uses the count to tell whether there are older ones', () => {
    expect(withNewest(undefined, range(50, 1), 50).more).toBe(false);
    expect(withNewest(undefined, range(51, 2), 51).more).toBe(true);
  });

  test('of an emptied discussion leaves no comments', () => {
    expect(withNewest({ comments: range(3, 1), more: false, total: 3 }, [], 0).comments).toEqual([]);
  });
});

test('older pages are appended once', () => {
  const first = withOlder({ comments: range(100, 51), more: true, total: 101 }, range(50, 1));
  expect(numbers(first)).toEqual(upTo(100, 1));
  expect(first.more).toBe(true);
  const again = withOlder(first, range(50, 1).slice(0, 3));
  expect(numbers(again)).toEqual(upTo(100, 1));
  expect(again.more).toBe(false);
});

test('no more is offered once every comment and reply is shown', () => {
  const answered = range(2, 1).map((comment) => ({ ...comment, replyCount: 3 }));
  expect(asRendered(answered, 8).more).toBe(false);
  expect(asRendered(answered, 9).more).toBe(true);
  const [full, last] = [{ comments: range(100, 51), more: true, total: 103 }, range(50, 1)];
  expect(withOlder(full, [...last.slice(0, 49), { ...last[49]!, replyCount: 3 }]).more).toBe(false);
  expect(withOlder(full, last).more).toBe(true);
});

describe('the number of comments not shown yet', () => {
  const short = { comments: range(3, 1), more: false, total: 3 };

  test('is the poll’s count minus the loaded comments', () => {
    expect(newComments(short, 3)).toBe(0);
    expect(newComments(short, 5)).toBe(2);
    expect(newComments({ comments: range(100, 51), more: true, total: 100 }, 103)).toBe(3);
  });

  test('excludes the reader’s own comment and accounts for deleted ones', () => {
    expect(newComments(withOwn(short, comment(4)), 4)).toBe(0);
    expect(newComments(withoutComment(short, comment(2).id), 2)).toBe(0);
    expect(withoutComment(short, 'unknown')).toBe(short);
  });

  test('is negative if comments were deleted', () => {
    expect(newComments(short, 2)).toBe(-1);
  });
});

describe('replies', () => {
  const reply = (n: number, to = 1): Comment => ({ ...comment(n), replyTo: comment(to).id });
  const one = (replies: Comment[], replyCount = replies.length): Discussion => ({
    comments: [{ ...comment(1), replies, replyCount }],
    more: false,
    total: 1 + replyCount,
  });

  test('are counted, also those that are not loaded', () => {
    expect(countOf(one([reply(2), reply(3)], 7))).toBe(8);
    expect(unloadedReplies(one([reply(2), reply(3)], 7).comments[0]!)).toBe(5);
  });

  test('that the reader posts follow the loaded ones, or wait behind those that are not loaded', () => {
    const all = withOwn(one([reply(2)]), reply(3));
    expect([all.comments[0]!.replies?.length, countOf(all), all.total]).toEqual([2, 3, 3]);
    expect(withOwn(all, reply(3))).toBe(all);
    const some = withOwn(one([reply(2)], 5), reply(9));
    expect([some.comments[0]!.replies?.length, countOf(some)]).toEqual([1, 7]);
  });

  test('that were loaded later stay when their comment is reloaded', () => {
    const loaded = withReplies(one([reply(2)], 3), comment(1).id, [reply(3), reply(4)]);
    const again = withNewest(loaded, one([reply(2)], 3).comments, 4);
    expect(again.comments[0]!.replies?.map(({ id }) => id)).toEqual([2, 3, 4].map((n) => comment(n).id));
  });

  test('that are deleted or hidden are no longer counted', () => {
    expect(countOf(withoutComment(one([reply(2), reply(3)]), comment(2).id))).toBe(2);
    const hidden = withHidden(one([reply(2), reply(3)]), comment(2).id, true);
    expect([countOf(hidden), hidden.total, hidden.comments[0]!.replies?.length]).toEqual([2, 2, 2]);
    expect(countOf(withHidden(hidden, comment(2).id, false))).toBe(3);
  });
});

import { expect, test } from 'vitest';
import { pollIdIn } from './poll-id-in.ts';

test('a community poll is found by its URL, its path, or its id', () => {
  for (const typed of [
    'AbC_d-1',
    ' AbC_d-1 ',
    '/community-polls/AbC_d-1',
    'https://polls.example/community-polls/AbC_d-1/',
    'https://polls.example/community-polls/AbC_d-1?from=mail#discussion',
  ])
    expect(pollIdIn(typed, 'community-polls')).toBe('AbC_d-1');
});

test('any other text is not taken for a community poll', () => {
  for (const typed of ['', 'two words', 'https://polls.example/poll/AbC_d-1', '/community-polls/', 'a'.repeat(81)])
    expect(pollIdIn(typed, 'community-polls')).toBeNull();
});

test('a poll is found by its URL, its path, or its id, and where both kinds count, by the addresses of both', () => {
  expect(['https://polls.example/poll/tea?x=1', '/poll/tea', 'tea'].map((typed) => pollIdIn(typed))).toEqual([
    ...['tea', 'tea', 'tea'],
  ]);
  expect([pollIdIn('two words'), pollIdIn('/community-polls/tea')]).toEqual([null, null]);
  expect(['/poll/tea', '/community-polls/tea'].map((typed) => pollIdIn(typed, 'poll|community-polls'))).toEqual([
    ...['tea', 'tea'],
  ]);
});

import { expect, test } from 'vitest';
import { communityPollIdIn } from './Featured.tsx';

test('a community poll is found by its URL, its path, or its id', () => {
  for (const typed of [
    'AbC_d-1',
    ' AbC_d-1 ',
    '/community-polls/AbC_d-1',
    'https://polls.example/community-polls/AbC_d-1/',
    'https://polls.example/community-polls/AbC_d-1?from=mail#discussion',
  ])
    expect(communityPollIdIn(typed)).toBe('AbC_d-1');
});

test('any other text is not taken for a community poll', () => {
  for (const typed of ['', 'two words', 'https://polls.example/poll/AbC_d-1', '/community-polls/', 'a'.repeat(81)])
    expect(communityPollIdIn(typed)).toBeNull();
});

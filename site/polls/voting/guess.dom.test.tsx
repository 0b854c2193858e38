import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import * as community from '#site/polls/community/fixtures/community-api.tsx';
import { refusal, service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import { forgetAllReceipts } from './receipts.ts';
import { guessing, storeGuessing } from './guesses.ts';
import { receipt, statistics, votedFor, votingPages, weekly } from './fixtures/voting-pages.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(servePoll);
afterEach(() => {
  cleanup();
  forgetAllReceipts();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const idle = () => waitFor(() => expect([queryClient().isFetching(), queryClient().isMutating()]).toEqual([0, 0]));
const guesses = () => service.calls('POST /api/polls/ai-rules/guesses').map(({ body }) => body);
const shares = () => screen.queryAllByText(/^\d+%$/).map(({ textContent }) => textContent);

/** Votes for “Light rules”, which then has 301 of 1,201 votes; “Strict rules” leads with 600. */
async function vote(voted: Poll = votedFor('option-2'), settled = idle): Promise<void> {
  service.answers['GET /api/polls/ai-rules'] = () => Response.json(weekly);
  service.answers['GET /api/polls/active'] = () => Response.json([voted]);
  service.answers['POST /api/polls/ai-rules/vote'] = () => Response.json({ ...voted, statistics, receipt });
  render(votingPages[1]!.page);
  await settled();
  fireEvent.click(screen.getByRole('radio', { name: 'Light rules' }));
  fireEvent.click(screen.getByRole('button', { name: /^Vote/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Vote/ })).toBeNull());
  await settled();
}
const slide = (name: string, percent: number) =>
  fireEvent.change(screen.getByRole('slider', { name }), { target: { value: String(percent) } });
const answer = (body: object, poll = 'ai-rules') =>
  (service.answers[`POST /api/polls/${poll}/guesses`] = () => Response.json({ accuracy: null, ...body }));
const show = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Show the Results' }));
  await idle();
};

test('nobody is asked to guess without having switched it on, which the card offers after a vote', async () => {
  await vote();
  expect(screen.queryByRole('slider')).toBeNull();
  const choice = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Guess results before seeing them' });
  expect(choice.checked).toBe(false);
  fireEvent.click(choice);
  expect(choice.checked).toBe(true);
  expect(guessing().on).toBe(true);
  // These results have been seen.
  expect(screen.queryByRole('slider')).toBeNull();
});

test('the bar that is moved is the guess; nothing of the result is shown or announced before', async () => {
  storeGuessing({ on: true });
  await vote();
  expect(shares()).toEqual([]);
  expect(screen.queryByText(/You’re with/)).toBeNull();
  expect(screen.getAllByRole('status').every(({ textContent }) => textContent === '')).toBe(true);
  expect(document.activeElement?.textContent).toBe('What does the majority say?');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Show the Results' });
  expect(button.disabled).toBe(true);
  expect(screen.getAllByRole('slider')).toHaveLength(3);

  slide('Light rules', 70);
  slide('Strict rules', 44);
  expect(screen.getByRole('slider', { name: 'Strict rules' }).getAttribute('aria-valuetext')).toBe('44%');
  expect(screen.getByRole('slider', { name: 'Light rules' }).getAttribute('aria-valuetext')).toBe('–');
  answer({ points: 6, guessers: 1_204, closerThan: 71 });
  await show();
  expect(guesses()).toEqual([{ optionId: 'option-1', percent: 44 }]);
  expect(shares()).toEqual(['50%', '25%', '8%']);
  expect(screen.getByText('You guessed 44% for “Strict rules”. It leads with 50%.')).toBeTruthy();
  expect(screen.getByText('Closer than 71% of 1,204 other guesses.')).toBeTruthy();
  const { question } = weekly;
  const guess = { poll: 'ai-rules', question, path: '/poll/ai-rules', option: 'Strict rules', percent: 44, share: 50 };
  expect(guessing()).toEqual({ on: true, guesses: 1, points: 6, made: [guess] });
  expect(screen.getByText('You read the crowd within 6 points, in 1 guess.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'All your guesses' }).getAttribute('href')).toBe('/my-votes#guesses');
  expect(screen.getByRole('button', { name: 'Download Picture' })).toBeTruthy();
  expect(document.activeElement?.textContent).toContain('Vote Recorded');
});

test('somebody who votes before the bars are loaded is asked before seeing results, too', async () => {
  storeGuessing({ on: true });
  queryClient().removeQueries({ queryKey: ['guessFirst'] });
  const loading = Promise.withResolvers<unknown>();
  void queryClient().query({ queryKey: ['guessFirst'], queryFn: () => loading.promise });
  await vote(votedFor('option-2'), () => Promise.resolve());
  expect(shares()).toEqual([]);
  loading.resolve(await import('./GuessFirst.tsx'));
  await idle();
  expect(screen.getAllByRole('slider')).toHaveLength(3);
});

test('a guess of an option that doesn’t lead says which one does, and the device keeps the accuracy', async () => {
  storeGuessing({ on: true });
  localStorage.setItem('weathervane-guesses', JSON.stringify({ on: true, guesses: 3, points: 10 }));
  await vote();
  slide('Light rules', 30);
  answer({ points: 30, guessers: 0, closerThan: 0 });
  await show();
  const said = 'You guessed 30% for “Light rules”. It has 25%; “Strict rules” leads with 50%.';
  expect(screen.getByText(said)).toBeTruthy();
  expect(screen.getByText('You’re the first to guess.')).toBeTruthy();
  expect(screen.getByText('You read the crowd within 10 points on average, in 4 guesses.')).toBeTruthy();
});

test('members see the accuracy of their account', async () => {
  storeGuessing({ on: true });
  await vote();
  slide('Strict rules', 50);
  answer({ points: 0, guessers: 9, closerThan: 88, accuracy: { guesses: 20, points: 60 } });
  await show();
  expect(screen.getByText('You guessed it: “Strict rules” leads with 50%.')).toBeTruthy();
  expect(screen.getByText('You read the crowd within 3 points on average, in 20 guesses.')).toBeTruthy();
});

test('a guess that can’t be sent is still compared with the result', async () => {
  storeGuessing({ on: true });
  await vote();
  slide('Strict rules', 50);
  service.answers['POST /api/polls/ai-rules/guesses'] = () => refusal(429, 'RATE_LIMITED');
  await show();
  expect(screen.getByText('You guessed it: “Strict rules” leads with 50%.')).toBeTruthy();
  expect(screen.queryByText(/other guess/)).toBeNull();
});

test.each([
  [1, 0, 'The only other guess was as close or closer.'],
  [1, 100, 'Closer than the only other guess.'],
  [2, 0, 'All the other guesses were as close or closer.'],
])('among %i other guesses, closer than %i percent, the card says: %s', async (guessers, closerThan, said) => {
  storeGuessing({ on: true });
  await vote();
  slide('Strict rules', 40);
  answer({ points: 10, guessers, closerThan });
  await show();
  expect(screen.getByText(said)).toBeTruthy();
});

test('a skipped guess shows the results and sends nothing', async () => {
  storeGuessing({ on: true });
  await vote();
  fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
  await idle();
  expect(shares()).toEqual(['50%', '25%', '8%']);
  expect(guesses()).toEqual([]);
  expect(guessing().guesses).toBe(0);
});

test('the first voter and voters on a poll under review have nothing to guess', async () => {
  storeGuessing({ on: true });
  const voted = votedFor('option-2');
  const options = voted.options.map((option) => ({ ...option, votes: Number(option.id === 'option-2') }));
  await vote({ ...voted, options, totalVotes: 1 });
  expect(screen.queryByRole('slider')).toBeNull();
  cleanup();
  queryClient().clear();
  await vote({ ...voted, heldVotes: 20, receivedVotes: 1_221, setAsideVotes: 0, interventions: [] });
  expect(screen.queryByRole('slider')).toBeNull();
});

test('on a community poll, nothing of the result is shown before the guess, and those who have seen it aren’t asked', async () => {
  storeGuessing({ on: true });
  await community.show();
  service.answers[community.voteCall] = () => Response.json({ ...community.voted, receipt });
  fireEvent.click(screen.getByRole('radio', { name: 'Tram' }));
  fireEvent.click(community.castButton());
  expect(await screen.findAllByRole('slider')).toHaveLength(4);
  expect([shares(), document.querySelector('.vane')?.getAttribute('aria-label')]).toEqual([[], null]);
  expect(screen.getAllByRole('status').every(({ textContent }) => textContent === '')).toBe(true);
  slide('Tram', 50);
  answer({ points: 10, guessers: 0, closerThan: 0 }, 'p1');
  await show();
  expect(screen.getByText('You guessed 50% for “Tram”. It leads with 60%.')).toBeTruthy();
  expect(document.querySelector('.vane')?.getAttribute('aria-label')).toContain('60%');
  cleanup();
  queryClient().clear();
  service.requests = [];
  await community.show({ ...community.open, options: community.withVotes([2, 5, 1, 1]) });
  fireEvent.click(screen.getByRole('radio', { name: 'Tram' }));
  fireEvent.click(community.castButton());
  expect(await screen.findByText('60%')).toBeTruthy();
  expect(screen.queryByRole('slider')).toBeNull();
});

test('damaged figures on the device start again', () => {
  for (const text of ['{', '"x"', '{"on":true,"guesses":-1,"points":5}', '{"on":true,"guesses":"2","points":5}']) {
    localStorage.setItem('weathervane-guesses', text);
    expect(guessing()).toEqual({ on: text.includes('true'), guesses: 0, points: 0, made: [] });
  }
});

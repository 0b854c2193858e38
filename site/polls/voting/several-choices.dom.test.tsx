import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { communityPoll, now, service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import PollPage from '#site/polls/Poll.island.tsx';
import { receiptsOnDevice } from '#site/verification/receipts-on-device.ts';
import { severalTexts } from '#texts/choices.ts';
import { receipt } from './fixtures/voting-pages.tsx';
import { forgetAllReceipts } from './receipts.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));
beforeEach(servePoll);
afterEach(() => {
  cleanup();
  forgetAllReceipts();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pollCall = 'GET /api/community-polls/drinks';
const voteCall = 'POST /api/community-polls/drinks/vote';
const choices = { min: 2, max: 3 };
const poll = communityPoll({
  ...{ id: 'drinks', totalVotes: 9, method: 'several', minChoices: 2, maxChoices: 3, userVotes: [] },
  options: ['Tea', 'Coffee', 'Water', 'Juice'].map((text, index) => ({ id: `o${index + 1}`, text, votes: null })),
});
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const press = (...names: string[]) => names.forEach((name) => fireEvent.click(box(name)));
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Cast Vote' });

test('several options are chosen within the numbers, sent in the order of the ballot, and shown as shares of voters', async () => {
  service.answers[pollCall] = () => Response.json(poll);
  service.answers['GET /api/community-polls/drinks/vote/status'] = () => Response.json({ hasVoted: false });
  const options = poll.options.map((option, index) => ({ ...option, votes: [10, 4, 8, 0][index]! }));
  const voted = { ...poll, options, totalVotes: 10, hasVoted: true, userVote: 'o1', userVotes: ['o1', 'o3'] };
  service.answers[voteCall] = () => {
    service.answers[pollCall] = () => Response.json(voted);
    return Response.json({ ...voted, receipt, promise: null });
  };
  render(<PollPage poll={poll} readAt={new Date(now).toISOString()} url="https://polls.test/" />);
  await waitFor(() => expect(service.requests).toHaveLength(2));
  await waitFor(() => expect(queryClient().isFetching()).toBe(0));
  expect(screen.getByText(severalTexts.rule(choices))).toBeTruthy();
  expect(screen.getByText(severalTexts.legend)).toBeTruthy();
  expect(button().disabled).toBe(true);
  press('Water');
  expect(button().disabled).toBe(true);
  press('Coffee', 'Tea');
  expect(screen.getByText(severalTexts.chosen(3, choices))).toBeTruthy();
  expect([box('Juice').disabled, box('Tea').disabled, button().disabled]).toEqual([true, false, false]);
  press('Coffee');
  expect([box('Juice').disabled, button().disabled]).toEqual([false, false]);
  fireEvent.click(button());
  await waitFor(() => expect(screen.getAllByText('(Your Vote)')).toHaveLength(2));
  const [sent] = service.calls(voteCall);
  expect(JSON.stringify(sent)).toContain('["o1","o3"]');

  expect(screen.getByText('Tea and Water')).toBeTruthy();
  expect(screen.getByText('100%')).toBeTruthy();
  expect(screen.getByText('80%')).toBeTruthy();
  expect(screen.getByText(severalTexts.shares(choices))).toBeTruthy();
  expect(screen.getAllByText('10 voters')).not.toHaveLength(0);
  expect(receiptsOnDevice()).toMatchObject([{ receipt, optionId: 'o1', further: ['o3'], option: 'Tea, Water' }]);
});

test('the first voter of several options reads them as one vote', () => {
  const options = poll.options.map((option, index) => ({ ...option, votes: index < 2 ? 1 : 0 }));
  const first = { ...poll, options, totalVotes: 1, hasVoted: true, userVote: 'o1', userVotes: ['o1', 'o2'] };
  const page = <PollPage poll={first} readAt={new Date(now).toISOString()} url="https://polls.test/" />;
  const [item] = /<li><span dir="auto">Tea and Coffee.*?<\/li>/.exec(renderToString(page))!;
  expect(item).toContain('(Your Vote)');
});

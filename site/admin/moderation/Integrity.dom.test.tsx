import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Integrity } from './Integrity.tsx';

// Toasts have their own tests.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const at = '2026-11-22T12:00:00.000Z';
const burst = { minute: 29_000_000, votes: 300, usual: 3.2 };
const poll: ResponseOf<'flaggedPolls'>['polls'][number] = {
  ...{ id: 'attacked', kind: 'poll', question: 'Tea or coffee?', score: 96, scoredAt: at },
  ...{ countedVotes: 1_300, setAsideVotes: 200, heldVotes: 200, challenge: 'auto', challengedUntil: at },
  ...{ protection: 'browser', nextProtection: 'check' },
  figures: { votes: 1_500, hourly: 62.5, hourlyBefore: 3, burst },
  flags: [
    {
      ...{
        id: 'f1',
        option: 'Coffee',
        reason: 'automated-network',
        score: 96,
        votes: 1_200,
        counted: 1_000,
        genuine: false,
      },
      signals: [
        { kind: 'rate', strength: 0.2, value: 600, usual: 3 },
        { kind: 'choice', strength: 1, value: 1, usual: 0.45 },
      ],
      chart: { from: 29_000_000, step: 5, votes: [50, 100, 50] },
    },
  ],
  decisions: [
    {
      ...{ number: 1, action: 'hold', state: 'held', reason: 'automated-network', votes: 200, madeBy: 'detector' },
      ...{ madeAt: at, decidedAt: null, expiresAt: '2026-11-29T12:00:00.000Z' },
      evidence: { networks: 1, option: 'Coffee', from: null, to: null },
    },
  ],
};
const answer = (polls = [poll]): ResponseOf<'flaggedPolls'> => ({
  polls,
  log,
  actions: [
    { at, actor: 'detector', action: 'hold', pollId: 'attacked', reason: 'automated-network', votes: 200, note: 'x' },
  ],
});

let log: ResponseOf<'flaggedPolls'>['log'];
let sent: { path: string; body: unknown }[];
let polls: ResponseOf<'flaggedPolls'>['polls'];
beforeEach(() => {
  history.replaceState(null, '', '/admin/moderation');
  sent = [];
  polls = [poll];
  log = { behindSeconds: 3, overdue: 0, problems: [], differences: [], witnesses: [] };
  queryClient().clear();
  vi.stubGlobal('fetch', (path: string, init: { method: string; body?: string }) => {
    if (init.method === 'GET') return Promise.resolve(Response.json(answer(polls)));
    sent.push({ path, body: JSON.parse(init.body ?? 'null') });
    return Promise.resolve(
      path.endsWith('/decisions') ? Response.json({ votes: 1_000 }) : new Response(null, { status: 204 }),
    );
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the log of decisions says what was done in words', async () => {
  render(<Integrity />);
  fireEvent.click(await screen.findByText('Log of decisions'));
  expect(screen.getByText(/detector: held votes, 200 votes/)).toBeTruthy();
});

test('the operator finds any poll by its address or id, and switches challenges for it', async () => {
  const hidden = { ...poll, ...{ id: 'hidden', kind: 'community' as const, question: null, score: 0 }, flags: [] };
  let asked: string[] = [];
  vi.stubGlobal('fetch', (path: string, init: { method: string; body?: string }) => {
    if (init.method !== 'GET') {
      sent.push({ path, body: JSON.parse(init.body ?? 'null') });
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const wanted = new URL(path, 'https://polls.test').searchParams.get('poll');
    asked.push(wanted ?? '');
    return Promise.resolve(Response.json(answer(wanted === 'hidden' ? [hidden] : [])));
  });
  render(<Integrity />);
  const field = await screen.findByLabelText<HTMLInputElement>('Find a poll');
  const find = (text: string) => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  };
  find('https://polls.test/community-polls/hidden?invite=1');
  expect(await screen.findByText('A private poll')).toBeTruthy();
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'on' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Change' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toMatchObject([{ path: '/api/admin/flags/hidden/challenge', body: { challenge: 'on' } }]);
  asked = [];
  find('nothing');
  expect(await screen.findByText('There is no such poll.')).toBeTruthy();
  find('not an id!');
  expect(await screen.findByText('There is no such poll.')).toBeTruthy();
  expect(asked).not.toContain('not an id!');
});

test('a poll with flagged votes shows its figures, its evidence with the strongest first, and its votes over time', async () => {
  render(<Integrity />);
  await screen.findByRole('link', { name: 'Tea or coffee?' });
  const text = document.body.textContent;
  for (const shown of [
    '1,300 counted, 200 held',
    '1,500 votes in the last 24 hours, 63 an hour; 3.0 before',
    '300 votes in five minutes, about 3 normally',
    'Flagged: automated voting from one network.',
    '200 votes held: automated voting from one network.By the detector on Nov 22, 2026, all from one network',
    '1,200 votes in favor of “Coffee”, 1,000 of them counted',
  ])
    expect(text).toContain(shown);
  const evidence = within(screen.getByRole('list', { name: 'Evidence' })).getAllByRole('listitem');
  expect(evidence.map(({ textContent }) => textContent)).toEqual([
    '100% chose this option; 45% of everyone else did.',
    '600 votes an hour; the poll otherwise gets 3.0.',
  ]);
  expect(screen.getByRole('img', { name: 'Votes over time: at most 100 in 5 minutes' }).children).toHaveLength(3);
});

test('the operator sets flagged votes aside with a reason and a note', async () => {
  render(<Integrity />);
  fireEvent.click(await screen.findByRole('button', { name: 'Set aside: automated voting from one network' }));
  expect(document.body.textContent).toContain('1,000 votes won’t count.');
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'unusual-rate' } });
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'Seen elsewhere' } });
  fireEvent.click(within(document.querySelector('dialog')!).getByText('Set aside', { selector: 'button' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/flags/attacked/decisions',
    body: { flag: 'f1', reason: 'unusual-rate', note: 'Seen elsewhere', action: 'set-aside' },
  });
  await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
});

test('held votes are set aside or counted after all, each with one confirmation', async () => {
  render(<Integrity />);
  for (const [button, action, confirm] of [
    ['Set aside: decision 1', 'set-aside', 'Set aside'],
    ['Count after all: decision 1', 'release', 'Count after all'],
  ] as const) {
    sent = [];
    fireEvent.click(await screen.findByRole('button', { name: button }));
    fireEvent.click(within(document.querySelector('dialog')!).getByText(confirm, { selector: 'button' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      path: '/api/admin/flags/attacked/decisions/1',
      body: { action, note: '' },
    });
    await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
  }
});

test('the browser check is switched per poll, with a note for the log', async () => {
  render(<Integrity />);
  fireEvent.change(await screen.findByLabelText('Check browsers before they vote'), { target: { value: 'on' } });
  expect(sent).toEqual([]);
  fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'Announced' } });
  fireEvent.click(within(document.querySelector('dialog')!).getByText('Change', { selector: 'button' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/flags/attacked/challenge',
    body: { challenge: 'on', note: 'Announced' },
  });
});

test('the operator raises what votes on a poll need to the next level, with one confirmation', async () => {
  render(<Integrity />);
  expect(await screen.findByText('Who can vote: any browser.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Raise to: any browser, with a check' }));
  const dialog = within(document.querySelector('dialog')!);
  expect(dialog.getByText(/The votes so far stay/)).toBeTruthy();
  fireEvent.click(dialog.getByText('Raise', { selector: 'button' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    path: '/api/admin/flags/attacked/protection',
    body: { protection: 'check', note: '' },
  });
});

test('the operator is alerted when the vote log has stopped, is late, or can’t be closed', async () => {
  log = {
    ...{ behindSeconds: 3_600, overdue: 2 },
    problems: [{ pollId: 'tea', problem: 'The recorded votes differ.' }],
    differences: [],
    witnesses: [{ name: 'news.example/w', since: '2026-11-20T12:00:00.000Z', problem: 'It could not be reached.' }],
  };
  render(<Integrity />);
  const text = (await screen.findByRole('alert')).textContent;
  for (const shown of [
    'a vote cast 60 minutes ago is not in it',
    '2 polls have been waiting too long for a checkpoint',
    'Vote log of tea: The recorded votes differ.',
  ])
    expect(text).toContain(shown);
});

test('a vote log that works needs no alert', async () => {
  render(<Integrity />);
  await screen.findByRole('link', { name: 'Tea or coffee?' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('without flagged votes the section says so', async () => {
  polls = [];
  render(<Integrity />);
  expect(await screen.findByText('No flagged votes.')).toBeTruthy();
});

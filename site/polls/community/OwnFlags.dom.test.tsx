import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FlaggedVotes, VoteDecision } from '#api/integrity/flags.contract.ts';
import { communityRefetchMs } from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { communityPoll } from './fixtures/community-api.tsx';
import { OwnFlags } from './OwnFlags.tsx';

const held: VoteDecision = {
  ...{ number: 1, action: 'hold', reason: 'automated-network', votes: 2_200, state: 'held' },
  ...{ madeBy: 'detector', madeAt: '2026-11-20T08:00:00.000Z', decidedAt: null, expiresAt: '2026-11-23T08:00:00.000Z' },
  evidence: { networks: 1, option: 'Tea', from: '2026-11-20T06:00:00.000Z', to: null },
};
const flag: FlaggedVotes['flags'][number] = {
  ...{ id: 'f1', option: 'Tea', reason: 'automated-network', score: 78, votes: 140, counted: 140, genuine: false },
  signals: [{ kind: 'choice', strength: 1, value: 1, usual: 0.45 }],
  chart: { from: 29_000_000, step: 5, votes: [50, 90] },
};
let decisions: VoteDecision[];
let flags: FlaggedVotes['flags'];
let nextProtection: FlaggedVotes['nextProtection'];
const sent = vi.fn<(call: string, body: unknown) => Response | null>();

beforeEach(() => {
  decisions = [held];
  flags = [];
  nextProtection = null;
  sent.mockReset().mockReturnValue(null);
  queryClient().clear();
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET';
    const answer = method === 'POST' ? sent(address, JSON.parse(init.body as string)) : null;
    if (method === 'PATCH') {
      sent(address, JSON.parse(init.body as string));
      nextProtection = null;
      return Promise.resolve(Response.json(communityPoll({ protection: 'check' })));
    }
    return Promise.resolve(answer ?? Response.json({ flags, decisions, nextProtection }));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const dialog = () => within(document.querySelector('dialog')!);

async function setAside(about: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: `Set aside: ${about}` }));
  fireEvent.change(dialog().getByLabelText(/^Note/), { target: { value: 'One script.' } });
  fireEvent.click(dialog().getByText('Set aside', { selector: 'button' }));
}

test('the creator reads how many votes are held, why, on what evidence, and until when', async () => {
  render(<OwnFlags pollId="one" />);
  const item = await screen.findByRole('listitem');
  expect(item.textContent).toContain('2,200 votes held: automated voting from one network.');
  expect(item.textContent).toContain(
    'By the detector on Nov 20, 2026, all from one network, all for “Tea”, since Nov 20, 2026, 06:00 UTC.',
  );
  expect(item.textContent).toContain('Unless you decide, they are counted after all on Nov 23, 2026, 08:00 UTC.');
});

test('votes that are noticed while the creator reads the page are shown', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  decisions = [];
  render(<OwnFlags pollId="one" />);
  flags = [flag];
  await vi.advanceTimersByTimeAsync(communityRefetchMs);
  await screen.findByText('140 votes in favor of “Tea”, all of them counted');
});

test('the creator sets votes aside with a reason, and can count them after all afterward', async () => {
  sent.mockImplementation(() => {
    decisions = [{ ...held, state: 'set-aside' }];
    return null;
  });
  render(<OwnFlags pollId="one" />);
  await setAside('decision 1');
  await waitFor(() => expect(screen.getByRole('listitem').textContent).toContain('2,200 votes set aside:'));
  expect(sent).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\/api\/community-polls\/one\/decisions\/1$/), {
    action: 'set-aside',
    note: 'One script.',
  });
  expect(screen.queryByRole('button', { name: /^Set aside/ })).toBeNull();
  expect(screen.getByRole('button', { name: 'Count after all: decision 1' })).toBeDefined();
});

test('the creator sees flagged votes that are still counted with the evidence, and sets them aside', async () => {
  [flags, decisions] = [[flag], []];
  sent.mockImplementation(() => {
    [flags, decisions] = [[], [{ ...held, action: 'set-aside', state: 'set-aside', votes: 140 }]];
    return null;
  });
  render(<OwnFlags pollId="one" />);
  expect((await screen.findByRole('list', { name: 'Evidence' })).textContent).toContain('100% chose this option');
  expect(screen.queryByRole('button', { name: /^Count after all/ })).toBeNull();
  await setAside('automated voting from one network');
  await screen.findByText('140 votes set aside:');
  expect(sent).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/\/api\/community-polls\/one\/decisions$/), {
    ...{ flag: 'f1', reason: 'automated-network', note: 'One script.', action: 'set-aside' },
  });
});

test('the creator says that flagged votes are genuine, which needs no reason', async () => {
  [flags, decisions] = [[flag], []];
  sent.mockImplementation(() => {
    flags = [{ ...flag, genuine: true }];
    return null;
  });
  render(<OwnFlags pollId="one" />);
  fireEvent.click(await screen.findByRole('button', { name: /^Genuine: / }));
  expect(screen.queryByRole('combobox')).toBeNull();
  const confirm = within(screen.getByRole('dialog')).getByRole('button', { name: 'Genuine' });
  fireEvent.click(confirm);
  await screen.findByText('Flagged, but taken for genuine:');
  expect(sent.mock.lastCall![1]).toMatchObject({ flag: 'f1', action: 'genuine' });
  expect(screen.queryByRole('button', { name: /^Genuine/ })).toBeNull();
  expect(screen.getByRole('button', { name: /^Set aside/ })).toBeDefined();
});

test('the creator of a poll with flagged votes raises what votes need with one press', async () => {
  flags = [flag];
  nextProtection = 'check';
  render(<OwnFlags pollId="one" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Raise to: any browser, with a check' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith('/api/community-polls/one', { protection: 'check' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Raise to/ })).toBeNull());
});

test('a decision that was not saved is reported, and nothing looks decided', async () => {
  sent.mockImplementation(() => Response.json({ code: 'CONFLICT', message: 'Already released.' }, { status: 409 }));
  render(<OwnFlags pollId="one" />);
  fireEvent.click(await screen.findByRole('button', { name: /^Count after all/ }));
  fireEvent.click(dialog().getByText('Count after all', { selector: 'button' }));
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(screen.getByRole('listitem').textContent).toContain('2,200 votes held:');
});

test('a poll without flagged votes has no such section', async () => {
  decisions = [];
  const { container } = render(<OwnFlags pollId="one" />);
  await waitFor(() =>
    expect(queryClient().getQueryData(['ownFlags', 'one'])).toEqual({
      flags: [],
      decisions: [],
      nextProtection: null,
    }),
  );
  expect(container.childElementCount).toBe(0);
});

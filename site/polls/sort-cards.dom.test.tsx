import { runInThisContext } from 'node:vm';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Poll } from '#api/polls/polls.contract.ts';
import { showIsland } from '#site/client/hydrate/fixtures/show-island.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import { receipt, weekly } from '#site/polls/voting/fixtures/voting-pages.tsx';
import { forgetAllReceipts, rememberReceipt } from '#site/polls/voting/receipts.ts';
import ActivePolls from './ActivePolls.island.tsx';
import { sortCards } from './sort-cards.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const polls = ['one', 'two', 'three'].map((id): Poll => ({ ...weekly, id, question: `Question ${id}?` }));
const votedOn = (...ids: string[]) =>
  polls.map((poll) => (ids.includes(poll.id) ? { ...poll, hasVoted: true, userVote: 'option-1' } : poll));
let island: ReturnType<typeof showIsland>;

/** Shows the published page in a browser with receipts of these polls, to whose visitor the API shows `seen`. */
function open(receipts: readonly string[], seen = votedOn(...receipts), latest = <p>The latest result</p>): void {
  for (const id of receipts)
    rememberReceipt({ ...weekly, id }, ['option-1'], { receipt: receipt.replace('C', id[1]!) }, `/poll/${id}`);
  service.answers['GET /api/polls/active'] = () => Response.json(seen);
  island = showIsland(
    <ActivePolls polls={polls} publishedAt="2026-11-20">
      {createElement('astro-slot', {}, latest)}
    </ActivePolls>,
  );
  // As the page’s inline script.
  runInThisContext(sortCards);
}
const questions = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
const folded = () => Array.from(document.querySelectorAll('[data-folded] h3'), ({ textContent }) => textContent);
const progress = () => document.querySelector<HTMLElement>('[data-progress]:not([hidden])')?.textContent;
const takeOver = async () => {
  fireEvent.pointerOver(island.root.querySelector('input')!);
  await waitFor(() => expect(island.isHydrated()).toBe(true));
  await waitFor(() => expect(queryClient().isFetching()).toBe(0));
};

beforeEach(() => {
  servePoll();
  queryClient().clear();
});
afterEach(() => {
  act(() => island.remove());
  cleanup();
  forgetAllReceipts();
  localStorage.clear();
  vi.unstubAllGlobals();
});

test('a first visit shows the polls in the order in which they were published', async () => {
  open([]);
  for (const step of [takeOver, () => undefined]) {
    expect(questions()).toEqual(['Question one?', 'Question two?', 'Question three?']);
    expect([folded(), progress()]).toEqual([[], undefined]);
    await step();
  }
});

test('a returning visitor’s first open question comes first; answered ones are last, folded, and counted, also once React is there', async () => {
  open(['one']);
  for (const step of [takeOver, () => undefined]) {
    expect(questions()).toEqual(['Question two?', 'Question three?', 'Question one?']);
    expect([folded(), progress()]).toEqual([['Question one?'], '1 of 3 answered']);
    await step();
  }
});

test('once all are answered, the first one shows its whole result', async () => {
  open(['one', 'two', 'three']);
  expect([folded(), progress()]).toEqual([['Question two?', 'Question three?'], '3 of 3 answered']);
  await takeOver();
  expect(folded()).toEqual(['Question two?', 'Question three?']);
});

test('a poll that the API knows no vote on can be voted on, whatever the browser has stored', async () => {
  open(['one'], polls);
  await takeOver();
  expect([folded(), questions().at(-1)]).toEqual([[], 'Question one?']);
});

test('damaged receipts and guesses change nothing', () => {
  for (const stored of ['{', '7', '[null, 3]', '{"made": 5}', '{"made": [null]}']) {
    localStorage.setItem('weathervane-receipts', stored);
    localStorage.setItem('weathervane-guesses', stored);
    open([], polls, <p data-guess="You guessed #% for “@”." data-poll="closed" hidden />);
    expect(questions()).toHaveLength(3);
    expect(document.querySelector<HTMLElement>('[data-guess]')!.hidden).toBe(true);
    act(() => island.remove());
  }
  open([]);
});

test('the latest result says what this browser guessed, and is kept as published when React takes over', async () => {
  const made = [{ poll: 'closed', option: 'Strict $& rules', percent: 44 }];
  localStorage.setItem('weathervane-guesses', JSON.stringify({ made }));
  open([], polls, <p data-guess="You guessed #% for “@”." data-poll="closed" hidden />);
  const said = screen.getByText('You guessed 44% for “Strict $& rules”.');
  await takeOver();
  expect(screen.getByText('You guessed 44% for “Strict $& rules”.')).toBe(said);
});

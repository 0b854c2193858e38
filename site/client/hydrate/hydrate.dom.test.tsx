import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hydrateEvent } from '#site/client/island.ts';
import { queryClient } from '#site/client/query-client.ts';
import { service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';
import { keepToast } from '#site/ui/stored-toast.ts';
import { other, votingPages, weekly } from '#site/polls/voting/fixtures/voting-pages.tsx';
import { ballotsIn } from '#site/polls/voting/live-ballot.ts';
import { forgetAllReceipts } from '#site/polls/voting/receipts.ts';
import { showIsland } from './fixtures/show-island.tsx';
import type { HydrateOptions } from './hydrate.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const [home] = votingPages;
const published = (
  <ActivePolls polls={[weekly, { ...other, hasVoted: false, userVote: null }]} publishedAt="2026-11-20" />
);
type Shown = ReturnType<typeof showIsland>;
const shown: Shown[] = [];

beforeEach(() => {
  servePoll();
  service.answers['GET /api/polls/active'] = () => Response.json([weekly, other]);
  queryClient().clear();
});
afterEach(() => {
  for (const island of shown.splice(0)) island.remove();
  cleanup();
  forgetAllReceipts();
  sessionStorage.clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

function show(element: ReactElement = published, value?: HydrateOptions): Shown {
  const island = showIsland(element, value);
  shown.push(island);
  return island;
}
const radio = (name: string) => screen.getAllByRole<HTMLInputElement>('radio', { name })[0]!;
const button = () => screen.getAllByRole<HTMLButtonElement>('button', { name: home!.button })[0]!;
const isDone = (island: Shown) => waitFor(() => expect(island.isHydrated()).toBe(true));

test('React is loaded once, on the first touch, focus, or key on a ballot', async () => {
  for (const intend of [
    () => fireEvent.pointerOver(radio('Light rules')),
    () => fireEvent.touchStart(radio('Light rules')),
    () => radio('Light rules').focus(),
    () => fireEvent.keyDown(radio('Light rules'), { key: ' ' }) && fireEvent.keyUp(radio('Light rules'), { key: ' ' }),
  ]) {
    const island = show();
    expect(island.isHydrated()).toBe(false);
    intend();
    fireEvent.pointerOver(island.root);
    await isDone(island);
    expect(island.loading.times).toBe(1);
    island.remove();
  }
});

test('what can’t be used without React has it once the page is idle, before anybody touches it', async () => {
  await isDone(show(published, { when: 'idle' }));
});

test('the choice and the focus are kept, and the button is enabled by a choice, before and after', async () => {
  const island = show();
  ballotsIn('test');
  expect(button().disabled).toBe(true);
  fireEvent.click(radio('Light rules'));
  expect(button().disabled).toBe(false);
  radio('Light rules').focus();
  await isDone(island);
  expect(document.activeElement).toBe(radio('Light rules'));
  expect(radio('Light rules').checked).toBe(true);
  await waitFor(() => expect(button().disabled).toBe(false));
});

test('the focus is kept on a deadline, which is no control', async () => {
  service.answers['GET /api/polls/ai-rules'] = () => Response.json(weekly);
  const { page } = votingPages.find(({ name }) => name === 'on a poll’s page')!;
  const island = show(page);
  const deadline = () => document.querySelector<HTMLElement>('time[tabindex]')!;
  const before = deadline();
  before.focus();
  await isDone(island);
  expect(deadline()).not.toBe(before);
  expect(document.activeElement).toBe(deadline());
});

test('nothing is replaced between pressing and releasing, so that a click in flight is delivered', async () => {
  const island = show();
  const pressed = radio('Light rules');
  radio('No rules').focus();
  fireEvent.pointerDown(pressed, { pointerType: 'mouse' });
  pressed.focus();
  await new Promise((done) => setTimeout(done, 30));
  expect([island.loading.times, island.isHydrated(), pressed.isConnected]).toEqual([1, false, true]);
  fireEvent.pointerUp(pressed, { pointerType: 'mouse' });
  fireEvent.click(pressed);
  await isDone(island);
  expect(radio('Light rules').checked).toBe(true);
});

test('a vote submitted before React has loaded is cast once it has', async () => {
  service.answers[home!.voteCall] = () => Response.json(home!.response('option-2'));
  show();
  fireEvent.click(radio('Light rules'));
  fireEvent.click(button());
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(service.calls(home!.voteCall)).toHaveLength(1));
  await waitFor(() => expect(screen.getAllByText('Vote Recorded')).not.toHaveLength(0));
});

test('if React can’t be loaded, a submitted vote is sent as a form, and the next touch tries again', async () => {
  const sent = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
  const island = show();
  island.loading.fails = true;
  fireEvent.click(radio('Light rules'));
  const form = button().form!;
  expect([form.method, new URL(form.action).pathname]).toEqual(['post', '/poll/ai-rules/vote']);
  expect(Object.fromEntries(new FormData(form))).toEqual({ optionId: 'option-2' });
  fireEvent.submit(form);
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  expect(island.isHydrated()).toBe(false);
  island.loading.fails = false;
  fireEvent.pointerOver(island.root);
  await isDone(island);
  sent.mockRestore();
});

test('a button pressed before React has loaded is pressed again, and open details stay open', async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { userAgent: 'test', clipboard: { writeText } });
  service.answers['GET /api/polls/ai-rules'] = () => Response.json(weekly);
  const island = show(votingPages[1]!.page);
  island.root.querySelector('details')!.open = true;
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await isDone(island);
  await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1));
  expect(island.root.querySelector('details')!.open).toBe(true);
});

const Form = ({ onSort }: { readonly onSort: (sort: string) => void }) => (
  <>
    <a href="#other">Other</a>
    <form data-touch>
      <input aria-label="Search" defaultValue="" />
      <select aria-label="Sort" defaultValue="new" onChange={({ target }) => onSort(target.value)}>
        <option>old</option>
        <option>new</option>
      </select>
      <a href="#next" onClick={() => onSort('next')}>
        Next
      </a>
    </form>
  </>
);

test('where parts are marked, only their use loads React; what was typed, chosen, and pressed there is repeated', async () => {
  const sorted: string[] = [];
  const island = show(<Form onSort={(sort) => sorted.push(sort)} />);
  fireEvent.pointerOver(screen.getByRole('link', { name: 'Other' }));
  expect(island.loading.times).toBe(0);
  fireEvent.input(screen.getByRole('textbox'), { target: { value: 'wind' } });
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'old' } });
  fireEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(location.hash).toBe('');
  await isDone(island);
  await waitFor(() => expect(sorted).toEqual(['old', 'next']));
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('wind');
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('old');
});

test('React is loaded at once if the page’s script asks, or if the address is not the one of the HTML', async () => {
  const asked = show();
  asked.root.dispatchEvent(new Event(hydrateEvent));
  await isDone(asked);
  const current = show(published, { search: '' });
  expect(current.loading.times).toBe(0);
  history.replaceState(null, '', '?page=2');
  dispatchEvent(new Event('popstate'));
  await isDone(current);
  await isDone(show(published, { search: '' }));
});

test('the account menu is loaded only for members and people who just signed out', () => {
  const isLoaded = () => show(<a href="/auth">Sign In</a>, { when: 'member' }).loading.times > 0;
  expect(isLoaded()).toBe(false);
  keepToast({ title: 'Logged out' });
  expect(isLoaded()).toBe(true);
  sessionStorage.clear();
  document.cookie = 'wv_account=1; path=/';
  expect(isLoaded()).toBe(true);
});

test('a discussion is loaded once it is in view after a scroll', async () => {
  const island = show(<p>Comments</p>, { when: 'seen' });
  expect(island.loading.times).toBe(0);
  dispatchEvent(new Event('scroll'));
  await isDone(island);
});

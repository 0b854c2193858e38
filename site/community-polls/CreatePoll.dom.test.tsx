import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import CommunityList from './CommunityList.island.tsx';
import type { CommunityApi } from './fixtures/community-api.tsx';
import { anna, clearSignInHint, now, numbered, signInHint, stubCommunityApi } from './fixtures/community-api.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let api: CommunityApi;
// The form loads on opening; on a busy machine its first import takes longer than a test waits.
beforeAll(() => import('./CreatePoll.tsx'), 30_000);
beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  vi.stubGlobal('scrollTo', vi.fn());
  api = stubCommunityApi();
  api.user = anna;
  signInHint();
  history.replaceState(null, '', '/community-polls');
});
afterEach(() => {
  leave();
  sessionStorage.clear();
  currentToast.set(null);
  clearSignInHint();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Leaves the page, keeping the tab’s storage. */
function leave(): void {
  cleanup();
  queryClient().clear();
}
const visit = () =>
  render(
    <CommunityList
      search=""
      initialPolls={[]}
      featured={[]}
      publishedAt={new Date(now).toISOString()}
      url="https://polls.test/community-polls"
    />,
  );
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const openForm = async () => {
  visit();
  fireEvent.click(await screen.findByRole('button', { name: 'Create Your Poll' }));
  await screen.findByRole('form', { name: 'Create Your Poll' });
  await waitFor(() => expect(document.activeElement).toBe(field('Question')));
};
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const fill = () => {
  write('Question', 'Tea or coffee?');
  write('Option 1', 'Tea');
  write('Option 2', 'Coffee');
};
const options = () =>
  screen.getAllByRole('textbox', { name: /^Option/ }).map((input) => (input as HTMLInputElement).value);
const problemOf = (input: HTMLElement) =>
  input.getAttribute('aria-invalid') === null
    ? null
    : document.getElementById(input.getAttribute('aria-describedby')!.split(' ')[0]!)?.textContent;
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
const made = () => waitFor(() => expect(api.sent).toHaveLength(1));

test('[S2.81 S2.91 S3.19 S4.9 S7.20 S8.9] the payload is as specified, and a public poll is on top of the list immediately', async () => {
  api.polls = numbered(6, 6);
  await openForm();
  write('Question', '  Tea or coffee? ');
  write('Description', 'In the morning.');
  fireEvent.change(screen.getByLabelText(/^Category/, { selector: 'form[id] select' }), {
    target: { value: 'Lifestyle' },
  });
  write('Option 1', ' Tea');
  write('Option 2', 'Coffee');
  press('Add option');
  press('Add option');
  write('Option 4', 'Neither ');
  press('Create Poll');
  await made();
  expect(api.sent[0]).toEqual({
    question: 'Tea or coffee?',
    description: 'In the morning.',
    visibility: 'public',
    category: 'Lifestyle',
    options: [
      { id: 'option-1', text: 'Tea', votes: 0 },
      { id: 'option-2', text: 'Coffee', votes: 0 },
      { id: 'option-3', text: 'Neither', votes: 0 },
    ],
    startsAt: expect.stringMatching(/^2026-11-21T08:00:/),
    endsAt: null,
  });
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Create Your Poll' })).toBeNull());
  await waitFor(() =>
    expect(screen.getAllByRole('article').map((card) => within(card).getByRole('link').textContent)[0]).toBe(
      'Tea or coffee?',
    ),
  );
  expect(screen.getAllByRole('article')).toHaveLength(6);
  expect(document.activeElement?.textContent).toBe('Tea or coffee?');
  expect(currentToast.get()).toMatchObject({ title: 'Poll Created!' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a new public poll that the current page doesn’t list opens the page that does', async () => {
  api.polls = numbered(9, 9);
  history.replaceState(null, '', '/community-polls?category=Science');
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(location.search).toBe(''));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Tea or coffee?'));
});

test.each([
  ['private', 'Private Poll Created', 'Invite people'],
  ['unlisted', 'Unlisted Poll Created', 'Open the poll'],
])(
  '[S2.90 S4.9] a new %s poll shows its link to copy and is only in its creator’s list',
  async (visibility, title, way) => {
    api.polls = numbered(2, 2);
    await openForm();
    fill();
    fireEvent.change(screen.getByLabelText('Visibility'), { target: { value: visibility } });
    press('Create Poll');
    const dialog = await screen.findByRole('dialog', { name: title });
    const link = within(dialog).getByLabelText<HTMLInputElement>('Link to your poll');
    expect([link.value, link.readOnly]).toEqual(['https://polls.test/community-polls/made', true]);
    expect(within(dialog).getByRole('link', { name: way }).getAttribute('href')).toBe('/community-polls/made');
    expect(screen.queryByRole('form', { name: 'Create Your Poll' })).toBeNull();
    press('Done');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement?.textContent).toBe('Create Your Poll');
    const listed = () => screen.getAllByRole('article').map((card) => within(card).getByRole('link').textContent);
    await waitFor(() => expect(listed()).toEqual(['Question 2?', 'Question 1?']));
    fireEvent.click(screen.getByRole('link', { name: 'Your polls' }));
    await waitFor(() => expect(listed()).toEqual(['Tea or coffee?']));
  },
);

test('[S2.90 S8.12 S9.14] copying the link in the dialog shows a check for two seconds and announces it inside the dialog', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValueOnce();
  vi.stubGlobal('navigator', { userAgent: 'test', clipboard: { writeText } });
  await openForm();
  fill();
  fireEvent.change(screen.getByLabelText('Visibility'), { target: { value: 'unlisted' } });
  press('Create Poll');
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('button', { name: 'Copy Link' }));
  await dialog.findByRole('button', { name: 'Link Copied!' });
  expect(writeText).toHaveBeenCalledWith('https://polls.test/community-polls/made');
  expect(dialog.getByRole('status').textContent).toBe('Link Copied!');
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(dialog.getByRole('button', { name: 'Link Copied!' })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(500));
  writeText.mockRejectedValueOnce(new Error('denied'));
  fireEvent.click(dialog.getByRole('button', { name: 'Copy Link' }));
  await dialog.findByText('Could not copy link to clipboard. Please copy manually.');
  expect(currentToast.get()).toMatchObject({ title: 'Copy Failed', destructive: true });
});

test('missing values are shown next to their fields after submitting, and the first gets the focus', async () => {
  await openForm();
  field('Option 2').focus();
  expect(problemOf(field('Question'))).toBeNull();
  press('Create Poll');
  await waitFor(() => expect(problemOf(field('Question'))).toBe('Question is required'));
  expect(problemOf(field('Option 2'))).toBe('Option is required');
  await waitFor(() => expect(document.activeElement).toBe(field('Question')));
  expect(said()).toContain('Please fix 3 fields.');
  fill();
  expect(problemOf(field('Question'))).toBeNull();
  expect(said()).not.toContain('Please fix 3 fields.');
  expect(api.sent).toEqual([]);
});

test('a duplicate option is flagged as soon as its field loses the focus', async () => {
  await openForm();
  fill();
  write('Option 2', 'tea ');
  expect(problemOf(field('Option 2'))).toBeNull();
  fireEvent.blur(field('Option 2'));
  expect(problemOf(field('Option 2'))).toBe('This option is already listed');
});

test('no problem appears while a pointer is pressed, because the button would move', async () => {
  await openForm();
  fill();
  write('Option 2', 'Tea');
  const create = screen.getByRole('button', { name: 'Create Poll' });
  fireEvent.pointerDown(create);
  fireEvent.blur(field('Option 2'));
  expect(problemOf(field('Option 2'))).toBeNull();
  fireEvent.pointerUp(create);
  await waitFor(() => expect(problemOf(field('Option 2'))).toBe('This option is already listed'));
});

test('[S2.81] the end must be in the future and after the start', async () => {
  await openForm();
  fill();
  const [start, end] = [screen.getByLabelText('Start'), screen.getByLabelText('End')];
  fireEvent.change(end, { target: { value: '2020-01-01T10:00' } });
  fireEvent.blur(end);
  expect(problemOf(end)).toBe('End must be in the future');
  fireEvent.change(start, { target: { value: '2027-01-02T10:00' } });
  fireEvent.change(end, { target: { value: '2027-01-01T10:00' } });
  expect(problemOf(end)).toBe('End must be after the start');
  expect(screen.getByText(/^In your own local time/)).toBeTruthy();
});

test('[D6.11] the question’s length is counted, and a question that is too long is kept and refused', async () => {
  await openForm();
  fill();
  write('Question', '👋'.repeat(201));
  expect(screen.getByText('201/200')).toBeTruthy();
  fireEvent.blur(field('Question'));
  expect(problemOf(field('Question'))).toBe('Question cannot exceed 200 characters');
  expect(screen.queryByText(/\/2000$/)).toBeNull();
  write('Description', 'd'.repeat(1_900));
  expect(screen.getByText('1900/2000')).toBeTruthy();
});

test('[S5.7 S9.7] options can be added up to ten and removed down to two', async () => {
  await openForm();
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  for (let count = 3; count <= 10; count++) {
    press('Add option');
    expect(document.activeElement).toBe(field(`Option ${count}`));
  }
  expect(screen.queryByRole('button', { name: 'Add option' })).toBeNull();
  expect(screen.getByText('A poll can have at most 10 options.')).toBeTruthy();
  write('Option 10', 'last');
  press('Remove option 9');
  expect(document.activeElement).toBe(field('Option 9'));
  expect(field('Option 9').value).toBe('last');
  expect(said()).toContain('Option 9 removed.');
  while (options().length > 2) press('Remove option 1');
  expect(options()).toEqual(['', 'last']);
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
});

test('options are moved by buttons, which keep the focus, and every move is announced', async () => {
  await openForm();
  press('Add option');
  for (const [index, text] of ['A', 'B', 'C'].entries()) write(`Option ${index + 1}`, text);
  press('Move option 3 up');
  expect(options()).toEqual(['A', 'C', 'B']);
  expect(said()).toContain('Option 3 is now option 2.');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move option 2 up');
  press('Move option 2 up');
  expect(options()).toEqual(['C', 'A', 'B']);
  // Up is disabled now, so the other direction has the focus.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move option 1 down');
  press('Move option 2 down');
  expect(options()).toEqual(['C', 'B', 'A']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move option 3 up');
});

test('Enter moves to the next option or adds one, and doesn’t submit', async () => {
  await openForm();
  fill();
  fireEvent.keyDown(field('Option 1'), { key: 'Enter' });
  expect(document.activeElement).toBe(field('Option 2'));
  fireEvent.keyDown(field('Option 2'), { key: 'Enter' });
  expect(document.activeElement).toBe(field('Option 3'));
  fireEvent.keyDown(field('Option 3'), { key: 'Enter' });
  expect(options()).toEqual(['Tea', 'Coffee', '']);
  expect(api.sent).toEqual([]);
});

test('a draft is restored after a reload, only for its author', async () => {
  await openForm();
  fill();
  leave();
  visit();
  expect(await screen.findByRole('form', { name: 'Create Your Poll' })).toBeTruthy();
  expect([field('Question').value, ...options()]).toEqual(['Tea or coffee?', 'Tea', 'Coffee']);
  expect(screen.getByText('We restored your draft.')).toBeTruthy();
  leave();
  api.user = { ...anna, id: 'u2' };
  visit();
  fireEvent.click(await screen.findByRole('button', { name: 'Create Your Poll' }));
  await screen.findByRole('form', { name: 'Create Your Poll' });
  expect(field('Question').value).toBe('');
});

test('[S2.81] a canceled draft is restored next time and can be discarded', async () => {
  await openForm();
  fill();
  press('Cancel');
  expect(screen.queryByRole('form', { name: 'Create Your Poll' })).toBeNull();
  expect(document.activeElement?.textContent).toBe('Create Your Poll');
  leave();
  await openForm();
  expect(field('Question').value).toBe('Tea or coffee?');
  press('Start over');
  expect([field('Question').value, ...options()]).toEqual(['', '', '']);
  leave();
  await openForm();
  expect(screen.queryByText('We restored your draft.')).toBeNull();
});

test('creating a poll deletes the draft', async () => {
  await openForm();
  fill();
  press('Create Poll');
  await made();
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Create Your Poll' })).toBeNull());
  leave();
  await openForm();
  expect(field('Question').value).toBe('');
});

test('[S4.9] while the poll is being created, nothing can be clicked twice', async () => {
  let answer: (response: Response) => void = () => undefined;
  api.overrides.set('POST /api/community-polls', () => new Promise((resolve) => (answer = resolve)));
  await openForm();
  fill();
  press('Create Poll');
  const pending = await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating Poll...' });
  expect(pending.disabled).toBe(true);
  expect(field('Question').closest('fieldset')!.disabled).toBe(true);
  answer(Response.json({}, { status: 500 }));
  expect(await screen.findByRole('button', { name: 'Create Poll' })).toBeTruthy();
});

test.each([
  [
    'the service is away',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'Failed to create poll. Please try again.',
    'The server didn’t respond. Your draft is still here.',
  ],
  [
    'the server refuses it',
    () => Promise.resolve(Response.json({ code: 'RATE_LIMITED', message: 'Too many polls.' }, { status: 429 })),
    'Too many polls.',
    'Your draft is still here.',
  ],
])('[S8.9] when %s, one toast says so and nothing is lost', async (_, override, text, note) => {
  api.overrides.set('POST /api/community-polls', override);
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Error', text, destructive: true }));
  expect(said()).toContain(note);
  expect(said()).not.toContain(text);
  expect(field('Question').value).toBe('Tea or coffee?');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Create Poll'));
});

test('problems found only by the server also appear next to their fields', async () => {
  api.overrides.set('POST /api/community-polls', () =>
    Promise.resolve(
      Response.json(
        { code: 'VALIDATION_FAILED', message: 'No.', errors: [{ field: 'options.1.text', message: 'No coffee.' }] },
        { status: 400 },
      ),
    ),
  );
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(problemOf(field('Option 2'))).toBe('No coffee.'));
  await waitFor(() => expect(document.activeElement).toBe(field('Option 2')));
  write('Option 2', 'Cocoa');
  expect(problemOf(field('Option 2'))).toBeNull();
});

test('when the session has ended, the form says so with a link to sign in, and the draft stays', async () => {
  api.overrides.set('POST /api/community-polls', () =>
    Promise.resolve(Response.json({ code: 'UNAUTHENTICATED', message: 'Sign in.' }, { status: 401 })),
  );
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(said().join()).toContain('You’re signed out.'));
  const form = screen.getByRole('form', { name: 'Create Your Poll' });
  expect(within(form).getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe(
    '/auth?next=%2Fcommunity-polls',
  );
  expect(field('Question').value).toBe('Tea or coffee?');
  leave();
  api.overrides.clear();
  signInHint();
  visit();
  await screen.findByRole('form', { name: 'Create Your Poll' });
  press('Create Poll');
  await made();
});

test('after a lost response the draft is sent again with the same key, even after a reload', async () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  api.overrides.set('POST /api/community-polls', lost);
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Error' }));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  press('Create Poll');
  await waitFor(() => expect(api.attempts).toHaveLength(2));
  leave();
  api.overrides.clear();
  visit();
  await screen.findByRole('form', { name: 'Create Your Poll' });
  press('Create Poll');
  await made();
  expect(api.attempts[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(api.attempts).toEqual([api.attempts[0], api.attempts[0], api.attempts[0]]);
});

test('the next draft has a new key, as does a draft whose key was used for an earlier version', async () => {
  await openForm();
  fill();
  press('Create Poll');
  await made();
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Create Your Poll' })).toBeNull());
  leave();
  const message = 'An earlier version of this was already saved.';
  api.overrides.set('POST /api/community-polls', () =>
    Promise.resolve(Response.json({ code: 'IDEMPOTENCY_KEY_REUSED', message }, { status: 422 })),
  );
  await openForm();
  fill();
  press('Create Poll');
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Error', text: message }));
  api.overrides.clear();
  api.polls = [];
  press('Create Poll');
  await waitFor(() => expect(api.attempts).toHaveLength(3));
  expect(new Set(api.attempts.map(({ key }) => key)).size).toBe(3);
});

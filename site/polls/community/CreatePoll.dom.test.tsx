import { act, cleanup, createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { showStoredToast } from '#site/ui/stored-toast.ts';
import { currentToast } from '#site/ui/toasts.ts';
import NewPoll from './NewPoll.island.tsx';
import type { CommunityApi } from './fixtures/community-api.tsx';
import { anna, clearSignInHint, communityPoll, now, signInHint, stubCommunityApi } from './fixtures/community-api.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let api: CommunityApi;
/** Where the page went. */
let left: MockInstance<typeof location.assign>;
beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  left = vi.spyOn(location, 'assign').mockImplementation(() => undefined);
  api = stubCommunityApi();
  api.user = anna;
  signInHint();
  history.replaceState(null, '', '/community-polls/new');
});
afterEach(() => {
  leave();
  sessionStorage.clear();
  currentToast.set(null);
  clearSignInHint();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Leaves the page, keeping the tab’s storage. */
function leave(): void {
  cleanup();
  queryClient().clear();
}
const visit = () =>
  render(<NewPoll listUrl="https://polls.test/community-polls" protections={['browser', 'check', 'members']} />);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const openForm = async () => {
  visit();
  await screen.findByRole('form', { name: 'Create Your Poll' });
};
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const fill = () => {
  write('Question', 'Tea or coffee?');
  write('Option 1', 'Tea');
  write('Option 2', 'Coffee');
};
const optionValues = () =>
  screen.getAllByRole('textbox', { name: /^Option/ }).map((input) => (input as HTMLInputElement).value);
const problemOf = (input: HTMLElement) =>
  input.getAttribute('aria-invalid') === null
    ? null
    : document.getElementById(input.getAttribute('aria-describedby')!.split(' ')[0]!)?.textContent;
const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
const made = () => waitFor(() => expect(api.sent).toHaveLength(1));

test('[S2.81 S2.91 S3.19 S4.9 S7.20 S8.9] the payload is as specified, and creation ends on the new poll', async () => {
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
  await waitFor(() => expect(left).toHaveBeenCalledWith('/community-polls/made'));
  showStoredToast();
  expect(currentToast.get()).toMatchObject({ title: 'Poll Created!' });
});

test.each([
  [
    'private',
    'Private Poll Created',
    'Only you can open it for now. Invite people on this page, then send them the link.',
    () => press('Done'),
  ],
  [
    'unlisted',
    'Unlisted Poll Created',
    'It’s not listed anywhere. Share its link with the people who should vote.',
    () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true })),
  ],
])('[S2.90] a new %s poll shows its link in a dialog, whose end opens the poll', async (kind, title, text, end) => {
  const copied = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { clipboard: { writeText: copied } });
  await openForm();
  fill();
  fireEvent.change(screen.getByLabelText('Visibility'), { target: { value: kind } });
  press('Create Poll');
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Link to this poll' })).toMatchObject({
    value: 'https://polls.test/community-polls/made',
    readOnly: true,
  });
  press('Copy Link');
  expect(await dialog.findByRole('button', { name: 'Link Copied!' })).toBeTruthy();
  expect(copied).toHaveBeenCalledWith('https://polls.test/community-polls/made');
  expect(left).not.toHaveBeenCalled();
  end();
  expect(left).toHaveBeenCalledWith('/community-polls/made');
  showStoredToast();
  expect(currentToast.get()).toMatchObject({ title: 'Poll Created!', text });
});

test('question, options, and what voters choose come first, and settings with a default are folded up under what they say', async () => {
  await openForm();
  const form = screen.getByRole('form', { name: 'Create Your Poll' });
  const settings = form.querySelector('details')!;
  expect(settings.open).toBe(false);
  expect(settings.querySelector('summary')!.textContent).toBe('SettingsPublic. Results: after voting.');
  const shown = [...form.querySelectorAll<HTMLElement>('textarea, select, input, legend')].filter(
    (part) => part.closest('details') === null,
  );
  expect(shown.map((part) => (part as HTMLInputElement).labels?.[0]?.textContent ?? part.textContent)).toEqual([
    ...['Question', 'Options', 'Option 1', 'Option 2', 'Voters choose'],
    ...[expect.stringMatching(/^Voters may write another answer/), 'Description'],
  ]);
  fireEvent.change(screen.getByLabelText('Visibility'), { target: { value: 'private' } });
  fireEvent.change(screen.getByLabelText('Who sees the results'), { target: { value: 'creator' } });
  expect(settings.querySelector('summary')!.textContent).toBe('SettingsPrivate. Results: only you.');
});

test('a private poll shows its results after the end unless its creator chooses otherwise, and says why', async () => {
  await openForm();
  fill();
  const select = (name: RegExp) => screen.getByLabelText<HTMLSelectElement>(name, { selector: 'form[id] select' });
  fireEvent.change(select(/^Who can vote/), { target: { value: 'members' } });
  fireEvent.change(select(/^Visibility/), { target: { value: 'private' } });
  const results = select(/^Who sees the results/);
  expect([results.value, results.options[0]!.value]).toEqual(['after-end', 'after-end']);
  expect(screen.getByText(/live results show how each person voted to anyone who watches/)).toBeTruthy();
  // Only members who are invited can open it.
  expect(screen.queryByLabelText(/^Who can vote/, { selector: 'form[id] select' })).toBeNull();
  press('Create Poll');
  await made();
  expect(api.sent[0]).toMatchObject({ visibility: 'private', resultVisibility: 'after-end' });
  expect(api.sent[0]).not.toHaveProperty('protection');
});

test('the creator chooses what votes need, among what the site can check', async () => {
  await openForm();
  fill();
  const select = screen.getByLabelText<HTMLSelectElement>(/^Who can vote/, { selector: 'form[id] select' });
  expect([...select.options].map(({ text }) => text)).toEqual([
    ...['Any browser', 'Any browser, with a check', 'Members'],
  ]);
  fireEvent.change(select, { target: { value: 'members' } });
  press('Create Poll');
  await made();
  expect(api.sent[0]).toMatchObject({ protection: 'members' });
});

test('the preview says how many options a vote may choose, of those that are written', async () => {
  await openForm();
  const preview = within(screen.getByRole('complementary', { name: 'Preview' }));
  expect(preview.queryByText(/^Choose/)).toBeNull();
  const choose = (label: string, value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value } });
  choose('Voters choose', 'several');
  expect(preview.getByText('Choose up to 2 options.')).toBeTruthy();
  expect(preview.getAllByRole('list')[0]!.dataset.method).toBe('several');
  fill();
  press('Add option');
  write('Option 3', 'Water');
  expect(preview.getByText('Choose up to 3 options.')).toBeTruthy();
  choose('At least', '2');
  expect(preview.getByText('Choose 2 to 3 options.')).toBeTruthy();
  choose('At most', '2');
  expect(preview.getByText('Choose 2 options.')).toBeTruthy();
  choose('Voters choose', 'ranked');
  expect(preview.getByText(/^Put 2 options in order, your favorite first/)).toBeTruthy();
  expect(preview.getAllByRole('list')[0]!.dataset.method).toBe('ranked');
  press('Create Poll');
  await made();
  expect(api.sent[0]).toMatchObject({ method: 'ranked', minChoices: 2, maxChoices: 2 });
});

test('the preview shows the poll as it is written, with hints that give their reason and an article', async () => {
  await openForm();
  const preview = within(screen.getByRole('complementary', { name: 'Preview' }));
  expect(preview.getByRole('heading', { name: 'Your question' })).toBeTruthy();
  write('Question', 'Don’t you agree that tea is best?');
  write('Option 1', 'Yes');
  write('Option 2', 'Not sure');
  expect(preview.getByRole('heading', { name: 'Don’t you agree that tea is best?' })).toBeTruthy();
  expect(preview.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Yes',
    'Not sure',
    expect.stringContaining('This may lead people to an answer'),
  ]);
  const article = preview.getByRole('link', { name: 'Read “One word, twenty-one points”' });
  expect(article.getAttribute('href')).toBe('/blog/one-word-twenty-one-points');
  write('Question', 'Which drink do you prefer in the morning?');
  expect(preview.queryByRole('link')).toBeNull();
});

test('another poll is copied into the form, unless there is a draft', async () => {
  const { question, ...poll } = communityPoll({ id: 'old', question: 'Old one?', resultVisibility: 'always' });
  const options = ['Tea', 'Coffee', 'Milk'].map((text, index) => ({ id: `option-${index}`, text, votes: 3 }));
  const found = { ...poll, question, options };
  api.overrides.set('GET /api/community-polls/old', () => Promise.resolve(Response.json(found)));
  history.replaceState(null, '', '/community-polls/new?from=old');
  await openForm();
  expect([field('Question').value, ...optionValues()]).toEqual(['Old one?', 'Tea', 'Coffee', 'Milk']);
  expect(screen.getByLabelText<HTMLSelectElement>('Who sees the results').value).toBe('always');
  write('Question', 'New one?');
  leave();
  await openForm();
  expect(field('Question').value).toBe('New one?');
  press('Discard it and start from the copied poll');
  expect(field('Question').value).toBe('Old one?');
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
  fireEvent.change(end, { target: { value: '2020-01-01' } });
  fireEvent.blur(end);
  expect(problemOf(end)).toBe('End must be in the future');
  fireEvent.change(start, { target: { value: '2027-01-02' } });
  fireEvent.change(end, { target: { value: '2027-01-01' } });
  fireEvent.blur(end);
  expect(problemOf(end)).toBe('End must be after the start');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(screen.getAllByText(new RegExp(`Time zone: ${zone}\\.$`))).toHaveLength(2);
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
  while (optionValues().length > 2) press('Remove option 1');
  expect(optionValues()).toEqual(['', 'last']);
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
});

test('options are moved by buttons, which keep the focus, and every move is announced', async () => {
  await openForm();
  press('Add option');
  for (const [index, text] of ['A', 'B', 'C'].entries()) write(`Option ${index + 1}`, text);
  press('Move option 3 up');
  expect(optionValues()).toEqual(['A', 'C', 'B']);
  expect(said()).toContain('Option 3 is now option 2.');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move option 2 up');
  press('Move option 2 up');
  expect(optionValues()).toEqual(['C', 'A', 'B']);
  // Up is disabled now, so the other direction has the focus.
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move option 1 down');
  press('Move option 2 down');
  expect(optionValues()).toEqual(['C', 'B', 'A']);
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
  expect(optionValues()).toEqual(['Tea', 'Coffee', '']);
  expect(api.sent).toEqual([]);
});

const paste = (name: string, text: string) => fireEvent.paste(field(name), { clipboardData: { getData: () => text } });

test('a pasted list becomes options, one per line, and what doesn’t fit is named', async () => {
  await openForm();
  write('Option 1', 'Water');
  paste('Option 2', '- Tea\n- Coffee\n\n- Milk');
  expect(optionValues()).toEqual(['Water', 'Tea', 'Coffee', 'Milk']);
  expect(document.activeElement).toBe(field('Option 4'));
  expect(said()).toContain('3 options filled in.');
  field('Option 1').setSelectionRange(0, 5);
  paste('Option 1', Array.from({ length: 9 }, (_, n) => `Tea no. ${n}`).join('\n'));
  expect(optionValues()).toHaveLength(10);
  expect(optionValues().slice(6)).toEqual(['Tea no. 6', 'Tea', 'Coffee', 'Milk']);
  const left = '7 options filled in. There was no room for 2 more: a poll can have at most 10 options.';
  expect(screen.getByText(left).className).not.toContain('hidden');
});

test('a single line is pasted as text', async () => {
  await openForm();
  const event = createEvent.paste(field('Option 1'), { clipboardData: { getData: () => 'Tea' } });
  fireEvent(field('Option 1'), event);
  expect(event.defaultPrevented).toBe(false);
});

test('a template fills the options until one is written', async () => {
  await openForm();
  expect(screen.getByText('Start with a template')).toBeTruthy();
  press('Yes or no');
  expect(optionValues()).toEqual(['Yes', 'No', 'Don’t know']);
  press('Agree or disagree');
  expect(optionValues()).toEqual([
    ...['Strongly agree', 'Agree', 'Neither agree nor disagree', 'Disagree', 'Strongly disagree'],
  ]);
  press('The next days');
  expect(optionValues().slice(0, 2)).toEqual(['Sunday, November 22', 'Monday, November 23']);
  expect(optionValues()).toHaveLength(7);
  write('Option 1', 'Sunday');
  expect(screen.queryByRole('group', { name: 'Start with a template' })).toBeNull();
});

test('a draft is restored after a reload, only for its author', async () => {
  await openForm();
  fill();
  leave();
  await openForm();
  expect([field('Question').value, ...optionValues()]).toEqual(['Tea or coffee?', 'Tea', 'Coffee']);
  expect(screen.getByText('We restored your draft.')).toBeTruthy();
  leave();
  api.user = { ...anna, id: 'u2' };
  await openForm();
  expect(field('Question').value).toBe('');
});

test('[S2.81] a canceled draft is restored next time and can be discarded', async () => {
  await openForm();
  fill();
  press('Cancel');
  expect(left).toHaveBeenCalledWith('/community-polls');
  leave();
  await openForm();
  expect(field('Question').value).toBe('Tea or coffee?');
  press('Start over');
  expect([field('Question').value, ...optionValues()]).toEqual(['', '', '']);
  leave();
  await openForm();
  expect(screen.queryByText('We restored your draft.')).toBeNull();
});

test('creating a poll deletes the draft', async () => {
  await openForm();
  fill();
  press('Create Poll');
  await made();
  await waitFor(() => expect(left).toHaveBeenCalled());
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
  screen.getByRole('button', { name: 'Create Poll' }).focus();
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
    '/auth?next=%2Fcommunity-polls%2Fnew',
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
  await waitFor(() => expect(left).toHaveBeenCalled());
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

test('the order of the answers follows from them unless the creator chooses one', async () => {
  await openForm();
  fill();
  const select = screen.getByLabelText<HTMLSelectElement>(/^Order of the options/);
  expect([select.value, select.options.length]).toEqual(['auto', 6]);
  fireEvent.change(select, { target: { value: 'random-1' } });
  press('Create Poll');
  await made();
  expect(api.sent[0]).toMatchObject({ optionOrder: 'random-1' });
});

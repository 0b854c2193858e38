import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EditedPoll, PollContent, PollVersion } from '#api/polls/poll-editor.contract.ts';
import { emptyContent } from '#domain/poll-draft.ts';
import '#site/admin/admin-time.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { PollEditor } from './PollEditor.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let poll: EditedPoll;
let saved: Record<string, unknown>[];
let calls: string[];
/** The versions that were to be published. */
let published: number[];
let restored: unknown[];
let repeated: unknown[];
let refusal: { status: number; body: object } | null;
let versions: PollVersion[];

beforeEach(() => {
  restored = [];
  repeated = [];
  document.documentElement.dataset.zone = 'America/New_York';
  const shared = { publishedAt: null, publishedBy: null, totalVotes: 0, hasVotes: false, dropped: [], closedAt: null };
  poll = {
    ...{
      id: 'tea',
      state: 'draft',
      content: emptyContent,
      published: null,
      version: 1,
      previewToken: 't',
      protections: ['browser', 'members'],
      ...shared,
    },
    ...{ changedAt: '2026-11-20T12:00:00.000Z', changedBy: 'Ana' },
  };
  [saved, calls, published, refusal, versions] = [[], [], [], null, []];
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit) => {
    calls.push(`${method} ${path}`);
    if (path.endsWith('/recurrence')) repeated.push(JSON.parse(body as string));
    if (path.endsWith('/restore')) restored.push(JSON.parse(body as string));
    if (path.endsWith('/publish')) published.push((JSON.parse(body as string) as { version: number }).version);
    if (method === 'PATCH' && ![401, 404, 409].includes(refusal?.status ?? 200)) {
      const { version, publishedAt, ...part } = JSON.parse(body as string) as Partial<PollContent> &
        Pick<EditedPoll, 'version' | 'publishedAt'>;
      expect(publishedAt).toBe(poll.publishedAt);
      saved.push(part);
      poll = { ...poll, content: { ...poll.content, ...part }, version: version + 1 };
    } else if (method !== 'GET' && refusal) {
      return Promise.resolve(Response.json(refusal.body, { status: refusal.status }));
    }
    if (path.endsWith('/publish')) return Promise.resolve(Response.json({ state: 'scheduled' }));
    if (path.includes('/versions')) return Promise.resolve(Response.json({ versions, more: false }));
    return Promise.resolve(method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(poll));
  });
});
afterEach(() => {
  cleanup();
  delete document.documentElement.dataset.zone;
  queryClient().clear();
  currentToast.set(null);
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const opened = async () => {
  render(<PollEditor id="tea" />);
  await screen.findByRole('form', { name: 'Poll' });
};

test('a series is repeated from the editor, which says when its newest poll opens, and stopped', async () => {
  await opened();
  fireEvent.click(screen.getByText('Repeat', { selector: 'summary' }));
  type('Every', '2');
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '2027-06-30' } });
  expect(screen.getByLabelText<HTMLSelectElement>('Time zone').value).toBe('America/New_York');
  const rule = { every: 2, unit: 'week', until: '2027-06-30', timeZone: 'America/New_York' } as const;
  const unrepeated = poll;
  poll = { ...poll, recurrence: { ...rule, newestAt: '2026-12-17T14:00:00.000Z' } };
  fireEvent.click(screen.getByRole('button', { name: 'Repeat' }));
  expect(await screen.findByText(/^Repeated every 2 weeks, .* opens on Dec 17, 2026, 09:00 EST\.$/)).toBeTruthy();
  expect(repeated).toEqual([{ rule }]);
  poll = unrepeated;
  fireEvent.click(screen.getByRole('button', { name: 'Stop repeating' }));
  await waitFor(() => expect(screen.queryByText(/^Repeated every/)).toBeNull());
  expect(repeated.at(-1)).toEqual({ rule: null });
});

test('a pasted list and templates fill the options, of which the first three are offered', async () => {
  await opened();
  fireEvent.click(screen.getByRole('button', { name: 'Agree or disagree' }));
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ options: [{}, {}, {}] }));
  expect(saved.at(-1)?.options).toEqual([
    { id: '1', text: 'Agree' },
    { id: '2', text: 'Neither agree nor disagree' },
    { id: '3', text: 'Disagree' },
  ]);
  const list = { getData: () => '- It depends\n- Don’t know' };
  fireEvent.paste(screen.getByLabelText(/^Option 3/), { clipboardData: list });
  await waitFor(() => expect((saved.at(-1)?.options as unknown[]).length).toBe(5));
  expect(saved.at(-1)?.options).toContainEqual({ id: '5', text: 'Don’t know' });
  expect(screen.getAllByText('not offered')).toHaveLength(2);
});

test('what is typed is saved by itself, with dates in the site’s time zone, and hints about the wording', async () => {
  await opened();
  type('Question', 'Don’t you agree that tea is better?');
  type('Option 1', 'Yes');
  type('Start', '2026-11-24');
  type('Start, time', '09:00');
  expect(screen.getByText('Not saved yet')).toBeTruthy();
  await screen.findByText('Saved', {}, { timeout: 5_000 });
  expect(saved).toMatchObject([
    { question: 'Don’t you agree that tea is better?', startsAt: '2026-11-24T14:00:00.000Z' },
  ]);
  expect(
    within(screen.getByRole('region', { name: 'Wording' })).getByText(/may lead people to an answer/),
  ).toBeTruthy();
});

test('a date without a time ends the poll at the end of that day; the field says so, and refuses a time that clocks skip', async () => {
  await opened();
  type('End', '2026-11-24');
  expect(screen.getByLabelText('End').getAttribute('aria-describedby')).toContain('hint');
  expect(screen.getByText('Without a time, until 23:59. Time zone: America/New_York.')).toBeTruthy();
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ endsAt: '2026-11-25T04:59:00.000Z' }), { timeout: 5_000 });
  type('End', '2027-03-14');
  type('End, time', '02:30');
  expect(screen.getByText(/^This time doesn’t exist: clocks in America\/New_York are set forward then/)).toBeTruthy();
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ endsAt: null }), { timeout: 5_000 });
});

test('what is pasted and too long stays, is marked at once with its length, and isn’t saved until it is shortened', async () => {
  await opened();
  type('Question', 'x'.repeat(520));
  type('Option 1', 'Yes');
  const question = screen.getByLabelText<HTMLTextAreaElement>('Question');
  expect(question.value).toHaveLength(520);
  expect(question.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Question cannot exceed 500 characters')).toBeTruthy();
  expect(screen.getByText('520/500 characters')).toBeTruthy();
  await screen.findByText('Not saved until you correct what is marked', {}, { timeout: 5_000 });
  type('Description', 'x'.repeat(5_001));
  expect(screen.getByText('5,001/5,000 characters')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Publish now' }));
  await screen.findByText('Not saved until you correct what is marked');
  expect([saved, published]).toEqual([[], []]);
  type('Question', 'x'.repeat(500));
  type('Description', 'Short.');
  expect(question.getAttribute('aria-invalid')).toBeNull();
  await screen.findByText('Saved', {}, { timeout: 5_000 });
  expect(saved).toMatchObject([{ question: 'x'.repeat(500), description: 'Short.' }]);
});

test('publishing saves first, and shows what is missing next to its field', async () => {
  const errors = [
    { field: 'endsAt', message: 'End is required' },
    { field: 'options.1.text', message: 'This option is already listed' },
  ];
  refusal = { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x', errors } };
  await opened();
  // The server doesn't count the blank one.
  type('Option 1', 'Yes');
  type(/^Option 3/, 'Yes');
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  await screen.findByText('End is required');
  expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([
    ...['PATCH /api/admin/polls/tea/draft', 'POST /api/admin/polls/tea/publish'],
  ]);
  expect(screen.getByLabelText('End').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText(/^Option 3/).getAttribute('aria-invalid')).toBe('true');
  // Each message is at its field only, and the summary leads there.
  expect(screen.getAllByText(/End is required|already listed/)).toHaveLength(2);
  const summary = within(screen.getByText(/^Please check these 2 fields:/));
  fireEvent.click(summary.getByRole('link', { name: 'Option 3' }));
  expect(document.activeElement).toBe(screen.getByLabelText(/^Option 3/));
  refusal = null;
  type('End', '2026-11-25');
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  await waitFor(() => expect(currentToast.get()?.title).toBe('Poll Scheduled'));
});

test('a line of countries that can’t be read keeps the poll from being published, and it is not said to be saved', async () => {
  await opened();
  type('Question', 'Tea?');
  type(/^Votes by country/, 'Sweden 12.5\nNorway abc');
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  const summary = within(await screen.findByText(/^Please check these 5 fields:/));
  expect(summary.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Description', 'Options', 'Start', 'End', 'Votes by country'],
  ]);
  expect(screen.getAllByText('Line 2 has no name with a percentage from 0 to 100.')).toHaveLength(1);
  expect(saved).toEqual([{ question: 'Tea?', countryBreakdown: [{ name: 'Sweden', percentage: 12.5 }] }]);
  expect(screen.getByText('Not saved yet')).toBeTruthy();
  expect(screen.queryByText('Saved')).toBeNull();
  expect(published).toEqual([]);
  type(/^Votes by country/, 'Sweden 12.5');
  await screen.findByText('Saved', {}, { timeout: 5_000 });
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  await waitFor(() => expect(currentToast.get()?.title).toBe('Poll Scheduled'));
});

test('of a published poll, only the line of countries that can’t be read and other changes are to be corrected', async () => {
  const content = { ...emptyContent, options: [], description: 'Hot.', endsAt: '2026-11-01T12:00:00.000Z' };
  poll = { ...poll, state: 'closed', published: content, content, version: 0, hasVotes: true };
  poll = { ...poll, publishedAt: '2026-11-20T12:00:00.000Z', publishedBy: 'Ben' };
  await opened();
  type(/^Votes by country/, 'Norway abc');
  type('Description', '');
  fireEvent.click(screen.getByRole('button', { name: 'Publish changes' }));
  const summary = within(await screen.findByText(/^Please check these 2 fields:/));
  expect(summary.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    ...['Description', 'Votes by country'],
  ]);
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Votes by country/).value).toBe('Norway abc');
  expect(published).toEqual([]);
});

test('a poll with votes keeps its options, can’t be unpublished, and is deleted only with a reason', async () => {
  const published = { ...emptyContent, question: 'Tea?', options: [{ id: '1', text: 'Yes' }] };
  poll = { ...poll, state: 'open', published, content: published, version: 0, hasVotes: true, totalVotes: 7 };
  poll = { ...poll, publishedAt: '2026-11-20T12:00:00.000Z', publishedBy: 'Ben' };
  await opened();
  expect(screen.queryByLabelText('Option 1')).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publish changes' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Unpublish' }));
  expect(screen.getByText(/^People have voted on this poll/)).toBeTruthy();
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  fireEvent.click(screen.getByRole('button', { name: 'Delete the poll' }));
  expect(screen.getByText('Please give a reason.')).toBeTruthy();
  type('Reason', 'Asked twice.');
  fireEvent.click(screen.getByRole('button', { name: 'Delete the poll' }));
  await waitFor(() => expect(currentToast.get()?.title).toBe('Poll Deleted'));
  expect(calls).toContain('DELETE /api/admin/polls/tea');
});

test('what can’t be saved when the editor is left, such as at the end of the session, is there when it is opened again', async () => {
  refusal = { status: 401, body: { code: 'ADMIN_REQUIRED', message: 'x' } };
  await opened();
  type('Question', 'Tea?');
  cleanup();
  await waitFor(() => expect(currentToast.get()?.text).toMatch(/^What you typed in “Tea\?” is saved in this tab/));
  expect(saved).toEqual([]);
  await opened();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Question').value).toBe('Tea?');
  expect(screen.getByText(/Your unsaved changes from before are back/)).toBeTruthy();
  refusal = null;
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(saved).toEqual([{ question: 'Tea?' }]));
  // It is said until they are saved.
  await waitFor(() => expect(screen.queryByText(/Your unsaved changes from before are back/)).toBeNull());
});

test('the editor of a poll that does not exist does not offer to try again, and that of one that failed does', async () => {
  const refuse = (status: number, code: string) =>
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ code, message: 'x' }, { status })));
  refuse(404, 'POLL_NOT_FOUND');
  render(<PollEditor id="gone" />);
  await screen.findByRole('alert');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  cleanup();
  queryClient().clear();
  refuse(503, 'UNAVAILABLE');
  render(<PollEditor id="gone" />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('what was typed in a poll that somebody else deleted is saved as a new poll', async () => {
  refusal = { status: 404, body: { code: 'POLL_NOT_FOUND', message: 'x' } };
  await opened();
  type('Question', 'Tea?');
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  const save = await screen.findByRole('button', { name: 'Save as a new poll' });
  refusal = null;
  calls = [];
  fireEvent.click(save);
  await waitFor(() => expect(saved).toEqual([{ ...emptyContent, question: 'Tea?' }]));
  expect(calls[0]).toBe('POST /api/admin/polls');
});

test('an undecided conflict is kept when the editor is left, and its buttons are a press away', async () => {
  refusal = { status: 409, body: { code: 'CONFLICT', message: 'x' } };
  await opened();
  poll = { ...poll, content: { ...emptyContent, question: 'Coffee?' }, version: 9, changedBy: 'Ben' };
  type('Question', 'Tea?');
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Compare' }));
  expect(document.activeElement?.textContent).toMatch(/^Ben changed the same parts/);
  cleanup();
  await opened();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Question').value).toBe('Tea?');
  refusal = null;
  fireEvent.click(screen.getByRole('button', { name: 'Keep yours' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Question')));
  await waitFor(() => expect(saved).toEqual([{ question: 'Tea?' }]));
});

test('publishing a draft that somebody else has changed says so, shows their text, and works at the next press', async () => {
  refusal = { status: 409, body: { code: 'CONFLICT', message: 'Ben changed this poll.' } };
  await opened();
  poll = { ...poll, content: { ...emptyContent, question: 'Coffee?' }, version: 9, changedBy: 'Ben' };
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  await screen.findByText('Ben changed this poll.');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Question').value).toBe('Coffee?');
  refusal = null;
  fireEvent.submit(screen.getByRole('form', { name: 'Poll' }));
  await waitFor(() => expect(currentToast.get()?.title).toBe('Poll Scheduled'));
  expect(published).toEqual([1, 9]);
});

test('an earlier version is restored after its dialog has shown what that changes, and why it failed', async () => {
  const content = { ...emptyContent, question: 'Black tea?' };
  poll = { ...poll, state: 'open', published: content, content, version: 0 };
  poll = { ...poll, publishedAt: '2026-11-20T12:00:00.000Z', publishedBy: 'Ben' };
  const after = { question: 'Black tea?' };
  versions = [
    { number: 2, at: '2026-11-20T12:00:00.000Z', by: 'Ben', before: { question: 'Tea?' }, after, restored: {} },
    { number: 1, at: '2026-11-19T12:00:00.000Z', by: null, before: {}, after: {}, restored: { question: 'Tea?' } },
  ];
  await opened();
  fireEvent.click(screen.getByRole('button', { name: 'Show changes' }));
  // The newest version is what is published.
  const restore = await screen.findByRole('button', { name: /^Restore the version of/ });
  fireEvent.click(restore);
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByRole('deletion').textContent).toContain('Black');
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(restored).toEqual([]);

  fireEvent.click(restore);
  refusal = { status: 409, body: { code: 'CONFLICT', message: 'Someone else has just changed this poll.' } };
  // The form begins again with what is published now, and the dialog stays.
  poll = { ...poll, publishedAt: '2026-11-20T13:00:00.000Z' };
  const confirm = () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Restore' }));
  confirm();
  await screen.findByText('Someone else has just changed this poll.');
  await screen.findByText(/last changed by Ben on .*1:00|13:00|08:00/);
  refusal = null;
  confirm();
  await waitFor(() => expect(currentToast.get()?.title).toBe('Version Restored'));
  expect(restored).toEqual([
    { publishedAt: '2026-11-20T12:00:00.000Z', from: 1 },
    { publishedAt: '2026-11-20T13:00:00.000Z', from: 1 },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: /^Restore the version of/ })).toBeTruthy();
});

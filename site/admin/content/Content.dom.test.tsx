import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContentEntry, ContentProblems } from '#api/content/content.contract.ts';
import { lock, unlock } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { contentTexts } from '#texts/content-editor.ts';
import { entryIn } from './content-address.ts';
import { ContentList } from './ContentList.tsx';
import ContentPage from './ContentPage.island.tsx';
import { Editor } from './Editor.tsx';
import { tagsIn } from './HeadFields.tsx';
import { imageMarkdown } from './InsertImage.tsx';
import { withBlock } from './TextField.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const at = '2026-11-20T12:00:00.000Z';
const source = '---\ntitle: On ties\n---\n\nOld.\n';
const read: ContentEntry = {
  ...{ folder: 'blog', name: 'on-ties', title: 'On ties', state: 'draft', isChanged: false, publishAt: null },
  ...{ updatedAt: at, updatedBy: 'operator', reviewedAt: null, reviewedBy: null, hasNewerFile: false },
  ...{ isDeleted: false, version: 1, head: { title: 'On ties', tags: ['one'] }, text: 'Old.', source },
  ...{ canRename: false, published: null, newerFile: null },
};

interface Sent {
  readonly call: string;
  readonly body: { readonly version: number; readonly text?: string; readonly use?: boolean };
}

let sent: Sent[];
let version: number;
/** What the server has saved for somebody else, if a conflict is tested. */
let theirs: ContentEntry | null;
/** What every change is refused with, if that is tested. */
let refusal: { readonly status: number; readonly body: object } | null;
/** Why the text can’t be published. */
let problems: ContentProblems;
let unknown: string[];

beforeEach(() => {
  sent = [];
  version = 1;
  theirs = null;
  refusal = null;
  problems = [];
  unknown = [];
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit) => {
    const json = body === undefined ? undefined : (JSON.parse(body as string) as Sent['body']);
    if (path.endsWith('/preview')) return answer({ html: `<p>${json?.text}</p>`, minutes: 1, problems, unknown });
    if (path === '/api/admin/content' && method === 'GET')
      return answer({ entries: [{ ...read, isChanged: true, state: 'published' }], categories: ['Numbers'] });
    if (method === 'GET') return answer(theirs ?? read);
    sent.push({ call: `${method} ${path.replace('/api/admin/content/blog/on-ties', '')}`, body: json! });
    if (refusal !== null && method !== 'POST') return answer(refusal.body, refusal.status);
    if (theirs !== null && json!.version !== theirs.version)
      return answer({ code: 'CONFLICT', message: 'rosa saved this.' }, 409);
    if (method === 'PATCH') version = json!.version + 1;
    const text = json!.text?.trim() ?? 'From the server.';
    if (json?.use === false) return answer({ ...read, isDeleted: true });
    return answer({ ...read, version, text, head: read.head, state: method === 'PATCH' ? 'draft' : 'published' });
  });
});
afterEach(() => {
  cleanup();
  lock();
  queryClient().clear();
  sessionStorage.clear();
  currentToast.set(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = (body: object, status = 200) => Promise.resolve(Response.json(body, { status }));
const type = (text: string) => fireEvent.change(screen.getByLabelText('Text'), { target: { value: text } });

test('what is typed is saved a moment later, once, and shown as it would be published', async () => {
  vi.useFakeTimers();
  render(<Editor read={read} />);
  type('New');
  type('New.');
  expect(screen.getByRole('status').textContent).toBe('Not saved yet.');
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(sent).toMatchObject([{ call: 'PATCH ', body: { version: 1, text: 'New.' } }]);
  expect(screen.getByRole('status').textContent).toBe('All changes are saved.');
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByRole('region', { name: 'Preview' }).innerHTML).toContain('<p>New.</p>');
});

test('publishing saves what was typed first', async () => {
  render(<Editor read={read} />);
  type('New.');
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Published' }));
  expect(sent.map(({ call, body }) => [call, body.version])).toEqual([
    ['PATCH ', 1],
    ['POST /publish', 2],
  ]);
});

test('a name in braces that stands for nothing is a warning, and the text can be published', async () => {
  unknown = ['votesPerYear'];
  render(<Editor read={read} />);
  await screen.findByText(/Warning: \{votesPerYear\} stands for nothing on this site/);
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Published' }));
});

test('all that keeps a text from being published is said once, at its field, to which the summary and the buttons lead', async () => {
  problems = [
    { message: 'Summary cannot exceed 200 characters.', line: null, field: 'excerpt' },
    { message: 'There is no text.', line: null, field: null },
  ];
  render(<Editor read={read} />);
  expect(await screen.findAllByText('Summary cannot exceed 200 characters.')).toHaveLength(1);
  const field = screen.getByLabelText('Summary');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText('There is no text.')).toHaveLength(1);
  const summary = within(screen.getByText(/^Can’t be published yet\. See:/));
  const leads = [
    summary.getByRole('link', { name: 'Summary' }),
    screen.getByRole('button', { name: 'Publish' }),
    screen.getByRole('button', { name: 'Schedule…' }),
  ];
  for (const lead of leads) {
    lead.focus();
    fireEvent.click(lead);
    expect(document.activeElement).toBe(field);
  }
  fireEvent.click(summary.getByRole('link', { name: 'Text' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Text'));
  expect(sent).toEqual([]);
});

test('after somebody else’s save nothing is lost: the operator chooses between both texts', async () => {
  theirs = { ...read, version: 5, text: 'Theirs.', updatedBy: 'rosa' };
  render(<Editor read={read} />);
  type('Mine.');
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  const inAlert = { selector: '[role=alert] p' };
  expect(await screen.findByText(/^Not saved: rosa changed the same parts on /, inAlert)).toBeTruthy();
  cleanup();
  render(<Editor read={theirs} />);
  expect(screen.getByText(/unsaved changes from before are back, but rosa changed the same/, inAlert)).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Mine.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep yours' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('All changes are saved.'));
  expect(sent.at(-1)).toMatchObject({ call: 'PATCH ', body: { version: 5, text: 'Mine.' } });

  cleanup();
  render(<Editor read={read} />);
  type('Mine again.');
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Use theirs' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Theirs.'));
});

test('publishing what somebody else has changed says so, shows their text, and works at the next press', async () => {
  theirs = { ...read, version: 5, text: 'Theirs.' };
  render(<Editor read={read} />);
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ text: 'rosa saved this.' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Theirs.');
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Published' }));
  expect(sent.map(({ body }) => body.version)).toEqual([1, 5]);
});

test('a deleted article leaves no unsaved text for a new one at its address', async () => {
  render(<Editor read={read} />);
  type('Mine.');
  fireEvent.click(screen.getByRole('button', { name: contentTexts.remove.open }));
  fireEvent.click(screen.getByRole('button', { name: contentTexts.remove.confirm }));
  await waitFor(() => expect(currentToast.get()).toMatchObject(contentTexts.remove.done));
  cleanup();
  render(<Editor read={{ ...read, version: 9, text: '' }} />);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('');
  expect(sent.map(({ call }) => call)).toEqual(['DELETE ']);
});

test('an address that is taken is said at its field, and the text stays saved', async () => {
  theirs = { ...read, canRename: true };
  render(<Editor read={theirs} />);
  const field = screen.getByLabelText('Address');
  refusal = { status: 409, body: { code: 'CONFLICT', message: 'There already is an article at /blog/tea.' } };
  fireEvent.change(field, { target: { value: 'tea' } });
  fireEvent.blur(field);
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(document.getElementById(`${field.id}-problem`)?.textContent).toBe('There already is an article at /blog/tea.');
  expect(screen.getByRole('status').textContent).toBe('All changes are saved.');
});

test('what was typed in an article that somebody else deleted becomes a new draft', async () => {
  history.replaceState(null, '', '/admin/content?entry=blog/on-ties');
  unlock('the password');
  refusal = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found.' } };
  render(<Editor read={read} />);
  type('Mine.');
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect((await screen.findByRole('alert')).textContent).toContain('What you typed is still here.');
  cleanup();
  render(<ContentPage />);
  const make = await screen.findByRole('button', { name: contentTexts.gone.make });
  refusal = null;
  fireEvent.click(make);
  await waitFor(() => expect(currentToast.get()).toMatchObject(contentTexts.gone.made));
  expect(sent.slice(-2)).toMatchObject([
    { call: 'POST /api/admin/content' },
    { call: 'PATCH ', body: { text: 'Mine.' } },
  ]);
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Text')).value).toBe('Mine.');
});

test('the new draft has what the server made of the text, which is no conflict', async () => {
  refusal = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found.' } };
  render(<Editor read={read} />);
  type('Mine.\n');
  fireEvent.change(screen.getByLabelText('Title'), { target: { value: ' ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
  const make = await screen.findByRole('button', { name: contentTexts.gone.make });
  refusal = null;
  fireEvent.click(make);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('All changes are saved.'));
  expect(sent.at(-2)?.body).toMatchObject({ title: 'on-ties' });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Mine.');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a newer file is shown with its differences, and taken or kept', async () => {
  render(<Editor read={{ ...read, hasNewerFile: true, newerFile: source.replace('Old.', 'Newer.') }} />);
  const [added, removed] = ['ins', 'del'].map((tag) => document.querySelector(tag)?.textContent);
  expect([added, removed]).toEqual(['Added: Newer.', 'Removed: Old.']);
  fireEvent.click(screen.getByRole('button', { name: 'Use the file' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'File Used' }));
  expect(sent).toEqual([{ call: 'POST /newer-file', body: { version: 1, use: true } }]);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('From the server.');
});

test('when the newer file of a deleted article is not used, the list is shown again', async () => {
  history.replaceState(null, '', '/admin/content?entry=blog/on-ties');
  render(<Editor read={{ ...read, isDeleted: true, hasNewerFile: true, newerFile: source }} />);
  fireEvent.click(screen.getByRole('button', { name: contentTexts.file.keep }));
  await waitFor(() => expect(location.pathname + location.search).toBe('/admin/content'));
});

test('the list says what is published and what is not, and links to each editor', async () => {
  render(<ContentList />);
  const link = await screen.findByRole('link', { name: 'On ties' });
  expect(link.getAttribute('href')).toBe('/admin/content?entry=blog/on-ties');
  expect(link.closest('li')?.textContent).toContain('PublishedUnpublished changes');
});

test('addresses, tags, pictures, and blocks are read and written as they are typed', () => {
  expect(['entry=legal/terms', 'entry=../x', ''].map((query) => entryIn(new URLSearchParams(query)))).toEqual([
    { folder: 'legal', name: 'terms' },
    null,
    null,
  ]);
  expect(tagsIn(' one, two ,, ')).toEqual(['one', 'two']);
  expect(imageMarkdown(' A [sign]\nhere ', '/images/x.webp')).toBe('![A \\[sign\\] here](/images/x.webp)');
  expect(withBlock('One\nTwo\nThree', 5, 'BLOCK')).toBe('One\nTwo\n\nBLOCK\n\nThree');
  expect(withBlock('', 0, 'BLOCK')).toBe('BLOCK');
});

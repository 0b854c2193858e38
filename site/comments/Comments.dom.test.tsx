import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { storedDraft } from '#site/client/stored-draft.ts';
import { currentToast } from '#site/ui/toasts.ts';
import type { CommentText } from './comment-drafts.ts';
import { draftOn, unposted } from './comment-drafts.ts';
import Comments from './Comments.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const now = Date.parse('2026-11-21T08:00:00.000Z');
const comment = (n: number, over: Partial<Comment> = {}): Comment => ({
  id: `c${String(n).padStart(4, '0')}`,
  content: `Comment number ${n}`,
  createdAt: new Date(now - 3_600_000 + n).toISOString(),
  isMine: false,
  mayDelete: false,
  user: {
    name: 'Ben Ito',
    username: 'ben',
    firstName: 'Ben',
    lastName: 'Ito',
    profileImageUrl: `/api/pictures/${'a'.repeat(43)}`,
  },
  ...over,
});
const range = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, step) => comment(newest - step));
const anna: User = {
  id: 'u1',
  username: 'anna',
  email: null,
  firstName: 'Anna',
  lastName: 'Ahn',
  profileImageUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const path = '/api/community-polls/p1/comments';
let answers: Record<string, (query: URLSearchParams) => Response | Promise<Response>>;
let requests: { call: string; query: string; body: unknown; key: string | null }[];
const calls = (call: string) => requests.filter((one) => one.call === call);

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  queryClient().clear();
  currentToast.set(null);
  sessionStorage.clear();
  requests = [];
  answers = { [`GET ${path}`]: () => Response.json([]), 'GET /api/user': () => Response.json(anna) };
  document.cookie = 'wv_account=1; path=/';
  vi.stubGlobal('fetch', async (url: string, { method, body, headers }: RequestInit & { body?: string }) => {
    const { pathname, searchParams } = new URL(url, 'http://site.test');
    const call = `${method} ${pathname}`;
    const key = new Headers(headers).get('idempotency-key');
    requests.push({
      call,
      query: searchParams.toString(),
      body: body === undefined ? undefined : JSON.parse(body),
      key,
    });
    return (await answers[call]?.(searchParams)) ?? new Response('{}', { status: 500 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const element = (comments: readonly Comment[] | null, count = comments?.length ?? 0) => (
  <Comments pollId="p1" count={count} comments={comments} readAt={new Date(now).toISOString()} />
);
const show = async (comments: readonly Comment[] | null = [], count?: number) => {
  answers[`GET ${path}`] = () => Response.json(comments ?? []);
  render(element(comments, count));
  await waitFor(() => expect(calls(`GET ${path}`)).toHaveLength(1));
};
const signOut = () => {
  document.cookie = 'wv_account=; path=/; max-age=0';
};
const box = () => screen.findByLabelText<HTMLTextAreaElement>('Your comment');
const write = async (text: string) => fireEvent.change(await box(), { target: { value: text } });
const post = () => fireEvent.click(screen.getByRole('button', { name: 'Post Comment' }));
/** The draft of a comment on the poll. */
const kept = () => {
  const draft = storedDraft(draftOn.poll('p1')).read() as { values: CommentText } | null;
  return draft && unposted(draft.values);
};
const entries = () => screen.queryAllByRole('listitem').map((item) => item.textContent);
/** Simulates a refetch by the poll island. */
const pollCounts = (commentCount: number) => queryClient().setQueryData(queryKeys.poll('p1'), { commentCount });

test('a suspended member reads why there is no form, and is offered no reply', async () => {
  answers['GET /api/user'] = () => Response.json({ ...anna, suspended: true });
  await show([comment(1)]);
  expect((await screen.findByText(/^You can’t do this while your account is suspended/)).textContent).toContain(
    'appeal',
  );
  expect(screen.queryByLabelText('Your comment')).toBeNull();
  expect(within(screen.getByRole('listitem')).queryByRole('button')).toBeNull();
});

describe('reading', () => {
  test('the HTML contains the first comments, with members’ pictures from this site', () => {
    const html = renderToString(element([comment(2), comment(1)]));
    expect(html).toContain('Community Discussion (<!-- -->2)'.replace('<!-- -->', ''));
    expect(html).toContain('Comment number 1');
    expect(html).toMatch(/<img [^>]*src="\/api\/pictures\/a{43}"/);
  });

  test('a comment of many lines is folded, also without scripts, and all of it is there', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => `Line ${n}`);
    const html = renderToString(element([comment(1, { content: lines.join('\n\n\n') })]));
    expect(html.indexOf('Line 4')).toBeLessThan(html.indexOf('<details'));
    expect(html.indexOf('Line 5')).toBeGreaterThan(html.indexOf('<details'));
    expect(html).not.toContain('\n\n\n');
    await show([comment(1, { content: lines.join('\n') })]);
    expect(screen.getByText('90 more lines')).toBeTruthy();
    expect(screen.getByText('Show less').closest('summary')).toBe(screen.getByText('90 more lines').closest('summary'));
    expect(entries()[0]).toContain('Line 99');
  });

  test('[S2.98] each comment shows its author’s name, age, and text, newest first', async () => {
    await show([
      comment(2),
      comment(1, { user: { ...comment(1).user, name: 'carla', username: 'carla', firstName: null, lastName: null } }),
    ]);
    expect(screen.getByRole('heading', { name: 'Community Discussion (2)' })).toBeTruthy();
    expect(entries()[0]).toContain('Ben Ito');
    expect(entries()[0]).toContain('Comment number 2');
    expect(entries()[1]).toContain('carla');
    const time = screen.getAllByText('59 minutes ago')[0]!;
    expect(time.getAttribute('datetime')).toBe(comment(2).createdAt);
    expect(time.getAttribute('data-tooltip')).toBe('Nov 21, 2026, 07:00 UTC');
  });

  test('addresses become nofollow links, and other markup stays text', async () => {
    await show([
      comment(1, { content: '<b>Look</b>: https://example.org/a?b=1&c=2.\njavascript:alert(1) **not bold**' }),
    ]);
    const links = within(screen.getByRole('listitem'))
      .getAllByRole('link')
      .filter((link) => !link.getAttribute('href')!.startsWith('#'));
    expect(links).toHaveLength(1);
    expect(links[0]!.getAttribute('href')).toBe('https://example.org/a?b=1&c=2');
    expect(links[0]!.getAttribute('rel')).toBe('nofollow ugc noopener');
    expect(screen.getByRole('listitem').textContent).toContain('<b>Look</b>: ');
    expect(screen.getByRole('listitem').querySelector('b')).toBeNull();
  });

  test('[S2.101] a poll without comments says so', async () => {
    await show([]);
    expect(screen.getByText('No comments yet. Be the first to share your thoughts!')).toBeTruthy();
  });

  test('[S8.11] comments that can’t be loaded can be retried', async () => {
    answers[`GET ${path}`] = () => new Response('', { status: 503 });
    render(element(null, 1));
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch comments');
    answers[`GET ${path}`] = () => Response.json([comment(1)]);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(entries()).toHaveLength(1));
  });

  test('older comments load fifty at a time, and a failed page can be retried', async () => {
    await show(range(60, 11), 60);
    answers[`GET ${path}`] = () => new Response('', { status: 503 });
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Failed to fetch comments' }));
    answers[`GET ${path}`] = () => Response.json(range(10, 1));
    fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(entries()).toHaveLength(60));
    expect(requests.at(-1)?.query).toBe('limit=50&before=c0011');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('new comments by others are announced by a button that shows them', async () => {
    await show([comment(1)]);
    pollCounts(3);
    const offer = await screen.findByRole('button', { name: 'Show 2 new comments' });
    expect(screen.getByRole('heading', { name: 'Community Discussion (3)' })).toBeTruthy();
    expect(entries()).toHaveLength(1);
    answers[`GET ${path}`] = () => Response.json(range(3, 1));
    fireEvent.click(offer);
    await waitFor(() => expect(entries()).toHaveLength(3));
    expect(screen.queryByRole('button', { name: /new comment/ })).toBeNull();
  });

  test('the first comments by others replace the empty notice immediately', async () => {
    await show([]);
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers[`GET ${path}`] = () => promise;
    pollCounts(3);
    expect(await screen.findByRole('heading', { name: 'Community Discussion (3)' })).toBeTruthy();
    expect(screen.queryByText(/^No comments yet/)).toBeNull();
    expect(screen.queryByRole('button', { name: /new comment/ })).toBeNull();
    resolve(Response.json(range(3, 1)));
    await waitFor(() => expect(entries()).toHaveLength(3));
  });

  test('a loaded empty discussion counts zero, whatever the poll’s count', async () => {
    await show([]);
    pollCounts(3);
    await screen.findByRole('heading', { name: 'Community Discussion (3)' });
    expect(await screen.findByText(/^No comments yet/)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Community Discussion (0)' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /new comment/ })).toBeNull();
  });

  test('a comment that was deleted elsewhere disappears', async () => {
    await show(range(3, 1));
    answers[`GET ${path}`] = () => Response.json([comment(3), comment(1)]);
    pollCounts(2);
    await waitFor(() => expect(entries()).toHaveLength(2));
  });

  test('the discussion disappears when the poll is no longer accessible', async () => {
    await show([comment(1)]);
    answers[`GET ${path}`] = () => new Response('{}', { status: 403 });
    pollCounts(0);
    await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
    expect(entries()).toEqual([]);
  });
});

describe('writing', () => {
  test('[S2.100 S7.26] requires an account: others get a link that leads back here', async () => {
    signOut();
    render(element([]));
    const link = await screen.findByRole('link', { name: 'Log In to Comment' });
    expect(link.getAttribute('href')).toBe('/auth/login?next=%2Fcommunity-polls%2Fp1');
    expect(screen.queryByLabelText('Your comment')).toBeNull();
    // The page already has all comments.
    expect(requests).toEqual([]);
  });

  test('[S2.99 S5.11] shows the author’s initials and counts characters like the limit', async () => {
    await show();
    await write('Hé 😀');
    expect(screen.getByText('4/500 characters')).toBeTruthy();
    expect(screen.getByText('AA')).toBeTruthy();
  });

  test('[S5.11] keeps a text that is too long, counts it, and posts it once it is shortened', async () => {
    await show();
    const long = `${'😀'.repeat(500)} and more`;
    await write(long);
    expect((await box()).value).toBe(long);
    expect(screen.getByText('509/500 characters')).toBeTruthy();
    post();
    await waitFor(() => expect(screen.getByText('Comment cannot exceed 500 characters.')).toBeTruthy());
    expect([(await box()).value, calls(`POST ${path}`)]).toEqual([long, []]);
    await write('😀'.repeat(500));
    answers[`POST ${path}`] = () => Response.json(comment(2), { status: 201 });
    post();
    await waitFor(() => expect(calls(`POST ${path}`)).toHaveLength(1));
  });

  test('completes a username after @ with the people of the discussion', async () => {
    await show([
      comment(3, { user: { ...comment(3).user, name: 'Béa Otto', username: 'bea.o' } }),
      comment(2),
      comment(1, { isMine: true, user: { ...comment(1).user, name: 'Anna Ahn', username: 'anna' } }),
    ]);
    const type = async (text: string) => {
      const field = await box();
      fireEvent.change(field, { target: { value: text, selectionStart: text.length, selectionEnd: text.length } });
      return field;
    };
    const listed = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
    const field = await type('Hello @');
    expect(listed()).toEqual(['Béa Otto @bea.o', 'Ben Ito @ben']);
    await type('Hello @Béa');
    expect(listed()).toEqual(['Béa Otto @bea.o']);
    await type('Hello @OT');
    expect(listed()).toEqual(['Béa Otto @bea.o']);
    await type('Hello @b');
    fireEvent.keyDown(field, { key: 'ArrowDown' });
    const chosen = document.getElementById(field.getAttribute('aria-activedescendant')!)!;
    expect([chosen.textContent, chosen.getAttribute('aria-selected')]).toEqual(['Ben Ito @ben', 'true']);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect([field.value, field.selectionStart, listed()]).toEqual(['Hello @ben ', 11, []]);
    await type('@b');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(listed()).toEqual([]);
    await type('ben@b');
    expect(listed()).toEqual([]);
    await type('@be');
    fireEvent.click(screen.getByRole('option', { name: /bea/ }));
    expect(field.value).toBe('@bea.o ');
  });

  test('a reply begins with the username of whom it answers, which alone is no comment', async () => {
    await show([comment(1)]);
    await box();
    fireEvent.click(screen.getByRole('button', { name: 'Reply to Ben Ito' }));
    const reply = await screen.findByLabelText<HTMLTextAreaElement>('Your reply to Ben Ito');
    expect([reply.value, reply.selectionStart]).toEqual(['@ben ', 5]);
    fireEvent.click(screen.getByRole('button', { name: 'Post Reply' }));
    await waitFor(() => expect(reply.getAttribute('aria-invalid')).toBe('true'));
    expect(calls(`POST ${path}`)).toEqual([]);
  });

  test.each([
    ['  \n ', 'Please enter a comment before submitting.'],
    ['x'.repeat(501), 'Comment cannot exceed 500 characters.'],
  ])('[S5.10 S5.11] of an invalid comment explains the problem next to the box', async (text, message) => {
    storedDraft(draftOn.poll('p1')).keep({ values: { text, sent: '' }, request: null });
    await show();
    const field = await box();
    post();
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    const describing = field.getAttribute('aria-describedby')!.split(' ');
    expect(describing.map((id) => document.getElementById(id)!.textContent)).toContain(message);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe(text);
    expect(calls(`POST ${path}`)).toHaveLength(0);
  });

  test('[S2.99 S5.12 S7.24 S8.11] shows the trimmed comment immediately while it is being posted', async () => {
    await show([comment(1)]);
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers[`POST ${path}`] = () => promise;
    await write('  A bicycle!\n');
    post();
    await waitFor(() => expect(entries()).toHaveLength(2));
    expect(entries()[0]).toContain('Anna Ahn');
    expect(entries()[0]).toContain('Posting...');
    expect((await box()).value).toBe('');
    expect(screen.getByRole('heading', { name: 'Community Discussion (2)' })).toBeTruthy();
    expect(calls(`POST ${path}`)[0]?.body).toEqual({ content: 'A bicycle!' });
    const posted = comment(2, { content: 'A bicycle!', isMine: true, mayDelete: true });
    answers[`GET ${path}`] = () => Response.json([posted, comment(1)]);
    resolve(Response.json(posted, { status: 201 }));
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Comment Posted!' }));
    expect(entries()).toHaveLength(2);
    expect(entries()[0]).not.toContain('Posting...');
    await vi.advanceTimersByTimeAsync(100);
    expect(screen.getByRole('heading', { name: 'Community Discussion (2)' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /new comment/ })).toBeNull();
    expect(kept()).toBeNull();
  });

  test('[S8.11] that fails restores the text before anything written meanwhile', async () => {
    await show();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answers[`POST ${path}`] = () => promise;
    await write('First thought');
    post();
    await screen.findByText('Posting...', { selector: 'span' });
    await write('Second thought');
    resolve(new Response('', { status: 500 }));
    await waitFor(() =>
      expect(currentToast.get()).toMatchObject({
        text: 'Failed to post comment. Please try again.',
        destructive: true,
      }),
    );
    await waitFor(async () => expect((await box()).value).toBe('First thought\nSecond thought'));
    expect(entries()).toEqual([]);
    expect(kept()).toBe('First thought\nSecond thought');
  });

  test('that gets no response doesn’t mention a vote', async () => {
    await show();
    answers[`POST ${path}`] = () => Promise.reject(new TypeError('Failed to fetch'));
    await write('Anybody there?');
    post();
    await waitFor(() =>
      expect(currentToast.get()).toMatchObject({
        text: 'Failed to post comment. Please try again. The server didn’t respond.',
      }),
    );
  });

  test('[S5.9] after the session ended asks to log in and keeps the text', async () => {
    await show();
    answers[`POST ${path}`] = () =>
      Response.json({ code: 'UNAUTHENTICATED', message: 'Please sign in first.' }, { status: 401 });
    await write('Do not lose me');
    post();
    expect(await screen.findByRole('link', { name: 'Log In and Continue' })).toBeTruthy();
    expect(screen.getByText(/What you wrote is saved in this tab/)).toBeTruthy();
    expect(currentToast.get()).toMatchObject({
      title: 'Authentication Required',
      text: 'Please log in to post a comment.',
    });
    expect(kept()).toBe('Do not lose me');
  });

  test('whose response was lost is retried with the same key, even after a reload; the next comment has a new key', async () => {
    await show();
    await write('Only once');
    post();
    await waitFor(async () => expect((await box()).value).toBe('Only once'));
    cleanup();
    queryClient().clear();
    requests.splice(0, requests.length, ...calls(`POST ${path}`));
    // The first attempt had succeeded after all.
    const posted = comment(1, { content: 'Only once', isMine: true, mayDelete: true });
    await show([posted]);
    answers[`POST ${path}`] = () => Response.json(posted, { status: 201 });
    expect((await box()).value).toBe('Only once');
    post();
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Comment Posted!' }));
    expect(entries()).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'Community Discussion (1)' })).toBeTruthy();
    await write('Another thought');
    post();
    await waitFor(() => expect(calls(`POST ${path}`)).toHaveLength(3));
    const [first, second, third] = calls(`POST ${path}`).map(({ key }) => key);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('restores the draft in the same tab', async () => {
    await show();
    await write('Half a thou');
    cleanup();
    queryClient().clear();
    requests = [];
    await show();
    expect((await box()).value).toBe('Half a thou');
  });
});

describe('a comment', () => {
  const own = comment(2, { isMine: true, mayDelete: true });

  test('is deleted after confirmation by those who are allowed to', async () => {
    await show([own, comment(1)]);
    expect(screen.getAllByRole('button', { name: /^Delete/ })).toHaveLength(1);
    answers[`DELETE ${path}/c0002`] = () => new Response(null, { status: 204 });
    fireEvent.click(screen.getByRole('button', { name: 'Delete comment by Ben Ito' }));
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Comment' }));
    await waitFor(() => expect(entries()).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Community Discussion'));
  });

  test('that was already deleted disappears without an error', async () => {
    await show([own]);
    answers[`DELETE ${path}/c0002`] = () =>
      Response.json({ code: 'COMMENT_NOT_FOUND', message: 'Gone.' }, { status: 404 });
    fireEvent.click(screen.getByRole('button', { name: /^Delete/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete Comment' }));
    await waitFor(() => expect(entries()).toEqual([]));
  });

  test('by someone else can be reported, with or without a reason', async () => {
    await show([own, comment(1)]);
    answers[`POST ${path}/c0001/report`] = () => new Response(null, { status: 204 });
    fireEvent.click(await screen.findByRole('button', { name: 'Report comment by Ben Ito' }));
    fireEvent.change(screen.getByLabelText('Reason (optional)'), { target: { value: ' It is spam. ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send Report' }));
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Thank you' }));
    expect(calls(`POST ${path}/c0001/report`)[0]?.body).toEqual({
      ...{ category: 'spam', author: false, reason: 'It is spam.' },
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Reported' }).getAttribute('aria-disabled')).toBe('true');
  });

  test('can be reported without an account, with an address for questions, once what was written fits', async () => {
    signOut();
    render(element([comment(1)]));
    await screen.findByRole('link', { name: 'Log In to Comment' });
    answers[`POST ${path}/c0001/report`] = () => new Response(null, { status: 204 });
    fireEvent.click(screen.getByRole('button', { name: 'Report comment by Ben Ito' }));
    const [reason, email] = [screen.getByLabelText('Reason (optional)'), screen.getByLabelText(/^Email address/)];
    fireEvent.change(reason, { target: { value: 'x'.repeat(501) } });
    fireEvent.change(email, { target: { value: 'nobody' } });
    const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send Report' }));
    send();
    expect(screen.getByText('501/500 characters')).toBeTruthy();
    expect([reason, email].map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true']);
    expect(calls(`POST ${path}/c0001/report`)).toEqual([]);
    fireEvent.change(reason, { target: { value: 'Spam' } });
    fireEvent.change(email, { target: { value: 'eve@mail.example' } });
    send();
    await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Thank you' }));
    expect(calls(`POST ${path}/c0001/report`)[0]?.body).toEqual({
      ...{ category: 'spam', author: false, reason: 'Spam', email: 'eve@mail.example' },
    });
  });

  test('whose report fails keeps the reason in the dialog', async () => {
    await show([comment(1)]);
    answers[`POST ${path}/c0001/report`] = () => new Response('', { status: 500 });
    fireEvent.click(await screen.findByRole('button', { name: /^Report/ }));
    fireEvent.change(screen.getByLabelText('Reason (optional)'), { target: { value: 'Spam' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send Report' }));
    expect(await screen.findByText('We couldn’t send the report. Please try again.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Reason (optional)').value).toBe('Spam');
  });
});

describe('replies and changes', () => {
  const own = (over: Partial<Comment> = {}) => {
    const editableUntil = new Date(now + 60_000).toISOString();
    return comment(1, { isMine: true, mayDelete: true, editableUntil, ...over });
  };

  test('a reply is written below its comment, and Cancel discards it', async () => {
    await show([comment(1)], 1);
    fireEvent.click(await screen.findByRole('button', { name: 'Reply to Ben Ito' }));
    const reply = () => screen.getByLabelText<HTMLTextAreaElement>('Your reply to Ben Ito');
    fireEvent.change(reply(), { target: { value: 'Never mind' } });
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Reply to Ben Ito' }));
    expect(reply().value).toBe('@ben ');
    fireEvent.change(reply(), { target: { value: 'Me too' } });
    const posted = comment(2, { content: 'Me too', replyTo: 'c0001', isMine: true });
    answers[`POST ${path}`] = () => Response.json(posted, { status: 201 });
    fireEvent.click(screen.getByRole('button', { name: 'Post Reply' }));
    const replies = await screen.findByRole('list', { name: 'Replies to Ben Ito' });
    await waitFor(() => expect(replies.textContent).toContain('Me too'));
    expect(calls(`POST ${path}`)[0]!.body).toEqual({ content: 'Me too', replyTo: 'c0001' });
    expect(screen.queryByLabelText('Your reply to Ben Ito')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Community Discussion (2)' })).toBeTruthy();
  });

  test('a reply that was begun before the session ended is open again after signing in', async () => {
    const values = { text: 'As I was saying', sent: '' };
    storedDraft(draftOn.reply('p1', 'c0001')).keep({ values, request: null });
    await show([comment(1)], 1);
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Your reply to Ben Ito')).value).toBe('As I was saying');
  });

  test('more replies are loaded after the known ones', async () => {
    const first = comment(2, { replyTo: 'c0001' });
    await show([comment(1, { replies: [first], replyCount: 2 })], 3);
    answers[`GET ${path}`] = () => Response.json([comment(3, { replyTo: 'c0001' })]);
    fireEvent.click(await screen.findByRole('button', { name: 'Show 1 more reply' }));
    await screen.findByText('Comment number 3');
    expect(calls(`GET ${path}`).at(-1)!.query).toBe('limit=50&replyTo=c0001&after=c0002');
  });

  test('authors change their comment while they may, and it is marked', async () => {
    await show([own()], 1);
    fireEvent.click(await screen.findByRole('button', { name: 'Edit this comment' }));
    const editor = screen.getByLabelText<HTMLTextAreaElement>('Edit your comment');
    expect(editor.value).toBe('Comment number 1');
    fireEvent.change(editor, { target: { value: 'Better' } });
    answers[`PATCH ${path}/c0001`] = () =>
      Response.json(own({ content: 'Better', editedAt: new Date(now).toISOString() }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(entries()[0]).toContain('· edited'));
    expect(entries()[0]).toContain('Better');
    cleanup();
    queryClient().clear();
    requests.length = 0;
    await show([own({ editableUntil: new Date(now - 60_000).toISOString() })], 1);
    await screen.findByRole('button', { name: 'Delete comment by Ben Ito' });
    expect(screen.queryByRole('button', { name: 'Edit this comment' })).toBeNull();
  });

  test('a linked comment that the list doesn’t have yet is shown above it', async () => {
    location.hash = '#comment-c0007';
    answers[`GET ${path}/c0007`] = () => Response.json(comment(7, { content: 'From long ago' }));
    const scrollIntoView = vi.fn();
    Object.assign(Element.prototype, { scrollIntoView });
    await show(range(60, 11), 60);
    const section = await screen.findByRole('region', { name: 'Linked comment' });
    expect(section.textContent).toContain('From long ago');
    expect(scrollIntoView).toHaveBeenCalled();
    cleanup();
    answers[`GET ${path}/c0007`] = () => Response.json({ code: 'COMMENT_NOT_FOUND', message: 'Gone' }, { status: 404 });
    queryClient().clear();
    render(element(range(60, 11), 60));
    expect(await screen.findByText('The linked comment was deleted or can’t be shown.')).toBeTruthy();
    location.hash = '';
  });
});

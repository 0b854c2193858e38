import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as limits from '#contract/limits.ts';
import { showIsland } from '#site/client/hydrate/fixtures/show-island.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { refusal, service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import { scanAgainText } from '#texts/errors.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { receiptsOnDevice } from '#site/verification/receipts-on-device.ts';
import { forgetAllReceipts, forgetReceipt } from './receipts.ts';
import { other, receipt, votingPages, weekly } from './fixtures/voting-pages.tsx';

// Toasts have their own tests; these check their contents only.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(servePoll);
afterEach(() => {
  cleanup();
  forgetAllReceipts();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const idle = () => waitFor(() => expect([queryClient().isFetching(), queryClient().isMutating()]).toEqual([0, 0]));
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });
const choose = (name: string) => fireEvent.click(screen.getAllByRole('radio', { name })[0]!);
const calls = () => service.requests.map(({ call }) => call);

const solution = { counter: 3, derivedKey: 'a'.repeat(64), time: 2 };
const challenge = { parameters: { nonce: 'b'.repeat(32) }, signature: 'c'.repeat(64) };

/** Replaces the solver’s worker by one that solves nothing before the returned function is called. */
function stubSolver(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  class Solver {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    postMessage = () => void promise.then(() => this.onmessage?.({ data: solution }));
    terminate = () => undefined;
  }
  vi.stubGlobal('Worker', Solver);
  return () => resolve(undefined);
}

describe.each(votingPages)('a vote $name', (page) => {
  const { voteCall } = page;
  const answer = (response: () => Response | Promise<Response>) => (service.answers[voteCall] = response);
  const button = () => screen.getAllByRole<HTMLButtonElement>('button', { name: page.button })[0]!;

  /** Opens the page and waits for the requests it starts with. */
  const show = async () => {
    for (const [call, body] of Object.entries(page.opens)) service.answers[call] = () => Response.json(body);
    render(page.page);
    await waitFor(() => expect(calls().sort()).toEqual(Object.keys(page.opens).sort()));
    await idle();
  };
  const vote = async (name = 'Light rules') => {
    choose(name);
    fireEvent.click(button());
    await waitFor(() => expect(service.calls(voteCall)).not.toHaveLength(0));
    await idle();
  };
  const expectRecorded = async () => {
    await waitFor(() => expect(screen.queryByRole('radio')).toBeNull());
    expect(screen.getAllByText(page.recorded)).not.toHaveLength(0);
  };
  const chosen = () => screen.getAllByText(page.yourVote)[0]!.closest('li')!.textContent;

  test('[S4.5 S7.12] is one API request, whose response updates every figure shown', async () => {
    await show();
    const before = service.requests.length;
    answer(() => Response.json(page.response('option-2')));
    await vote();
    await expectRecorded();
    expect(chosen()).toContain('Light rules');
    expect(screen.getByText('301 votes')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(limits.communityRefetchMs / 2));
    expect(calls().slice(before)).toEqual([voteCall]);
    const figures = screen.queryByText('votes cast')?.parentElement?.parentElement?.textContent;
    if (page.name === 'on the home page') expect(figures).toBe('votes cast5,012participants405polls3');
  });

  test('[S1.4 S2.58 S2.95 S2.97 S4.4 S5.6 S7.23 S8.10] requires a choice, is sent once, and can’t be changed meanwhile', async () => {
    await show();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer(() => promise);
    expect(button().disabled).toBe(true);
    choose('Light rules');
    expect(button().disabled).toBe(false);
    fireEvent.click(button());
    const pending = await screen.findByRole<HTMLButtonElement>('button', { name: page.pending });
    expect(pending.getAttribute('aria-disabled')).toBe('true');
    choose('No rules');
    expect(radio('Light rules').checked).toBe(true);
    fireEvent.click(pending);
    fireEvent.submit(pending.closest('form')!);
    resolve(Response.json(page.response('option-2')));
    await expectRecorded();
    const bodies = service.calls(voteCall).map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => JSON.parse(body.replace(/device_[0-9a-z]{36}/, 'DEVICE')) as unknown)).toEqual([
      page.voteBody,
    ]);
    expect(currentToast.get()).toMatchObject(page.toast);
  });

  test('leaves its receipt on the device, in short form on the card, until it is forgotten', async () => {
    await show();
    answer(() => Response.json(page.response('option-2')));
    await vote();
    await expectRecorded();
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Receipt C56H-HBCY' });
    expect(link.getAttribute('href')).toBe('/my-votes#vote-ai-rules');
    const [stored, ...others] = receiptsOnDevice();
    expect(stored).toMatchObject({ poll: 'ai-rules', question: weekly.question, receipt, option: 'Light rules' });
    expect(others).toEqual([]);
    act(() => forgetReceipt('ai-rules'));
    expect(screen.queryByRole('link', { name: /Receipt/ })).toBeNull();
  });

  test('comes with the code that was scanned from a screen, which leaves the address, and stays in the tab', async () => {
    const path = voteCall
      .replace(/^POST \/api\/(polls)?/, (_, weekly) => (weekly ? '/poll' : '/'))
      .replace('/vote', '');
    history.replaceState({ kept: true }, '', `${path}?from=room#room=8vk3x.abc`);
    await show();
    answer(() => Response.json({ code: 'RATE_LIMITED', message: scanAgainText }, { status: 429 }));
    await vote();
    expect(currentToast.get()).toMatchObject({ text: scanAgainText });
    expect(location.pathname + location.search + location.hash).toBe(`${path}?from=room`);
    expect(history.state).toEqual({ kept: true });
    // A reload keeps it; a newly scanned one takes its place.
    fireEvent.click(button());
    await waitFor(() => expect(service.calls(voteCall)).toHaveLength(2));
    history.replaceState(null, '', `${path}#room=8vk3y.def`);
    await idle();
    answer(() => Response.json(page.response('option-2')));
    fireEvent.click(button());
    await expectRecorded();
    const codes = service.calls(voteCall).map(({ headers }) => headers.get('x-room-code'));
    expect(codes).toEqual(['8vk3x.abc', '8vk3x.abc', '8vk3y.def']);
  });

  test('comes without the code of another poll’s screen', async () => {
    history.replaceState(null, '', '/poll/another#room=8vk3x.abc');
    await show();
    answer(() => Response.json(page.response('option-2')));
    await vote();
    await expectRecorded();
    expect(service.calls(voteCall).map(({ headers }) => headers.get('x-room-code'))).toEqual([null]);
  });

  test('is recorded and shown where the browser’s storage is blocked', async () => {
    await show();
    const blocked = () => {
      throw new Error('blocked');
    };
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
    answer(() => Response.json(page.response('option-2')));
    await vote();
    await expectRecorded();
    expect(receiptsOnDevice()).toEqual([]);
  });

  test('[S2.33] keeps a choice made before React has loaded', async () => {
    for (const [call, body] of Object.entries(page.opens)) service.answers[call] = () => Response.json(body);
    const island = showIsland(page.page);
    island.root.querySelector<HTMLInputElement>('input[value="option-2"]')!.checked = true;
    fireEvent.pointerOver(island.root);
    await waitFor(() => expect(island.isHydrated()).toBe(true));
    expect(screen.getAllByRole<HTMLInputElement>('radio', { name: 'Light rules' })[0]!.checked).toBe(true);
    expect(button().disabled).toBe(false);
    await idle();
    island.remove();
  });

  test('[S8.7] is announced once with the counts of its response, and moves the focus to the result', async () => {
    await show();
    answer(() => Response.json(page.response('option-2')));
    await vote();
    await expectRecorded();
    const said = screen.getAllByRole('status').find(({ textContent }) => textContent !== '')!;
    expect(said.textContent).toMatch(/^Vote (Recorded|Submitted)\. .*Light rules: (25|30)%/);
    expect(document.activeElement?.textContent).toContain(page.recorded);
    expect(document.activeElement?.getAttribute('tabindex')).toBe('-1');
    const before = said.textContent;
    for (const [call, body] of Object.entries(page.opens))
      service.answers[call] = () => Response.json(Array.isArray(body) ? body : { ...body!, totalVotes: 2_000 });
    await act(() => vi.advanceTimersByTimeAsync(limits.pollRefetchMs + 100));
    expect(said.textContent).toBe(before);
  });

  test('[S8.8 S8.10] that got no response keeps the choice, explains why, and can be sent again', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await show();
    answer(() => Promise.reject(new TypeError('Failed to fetch')));
    await vote();
    expect(currentToast.get()).toMatchObject({ ...page.failure, destructive: true });
    expect(radio('Light rules').checked).toBe(true);
    expect(screen.getByText('You’re offline. Your choice is still selected.')).toBeTruthy();
    online.mockReturnValue(true);
    fireEvent.click(button());
    await screen.findByText('The server didn’t respond. Your choice is still selected.');
    answer(() => Response.json(page.response('option-2')));
    fireEvent.click(button());
    await expectRecorded();
    expect(service.calls(voteCall)).toHaveLength(3);
  });

  test('[S8.8 S8.10] refused for now shows the server’s message in the toast only, and requests nothing else', async () => {
    await show();
    const before = service.requests.length;
    answer(() => refusal(503, 'OVERLOADED'));
    await vote();
    expect(currentToast.get()).toMatchObject({ text: 'Said by the server: OVERLOADED' });
    expect(screen.queryByText('Said by the server: OVERLOADED')).toBeNull();
    expect(screen.getByText('Your choice is still selected.')).toBeTruthy();
    expect(calls().slice(before)).toEqual([voteCall]);
  });

  test('[S8.8] that failed without a server message has a default message', async () => {
    await show();
    answer(() => new Response('', { status: 500, statusText: 'Internal Server Error' }));
    await vote();
    expect(currentToast.get()).toMatchObject(page.failure);
  });

  test('answered with a challenge is sent again with its solution, and says meanwhile that the browser is checked', async () => {
    const finish = stubSolver();
    await show();
    answer(() => refusal(428, 'CHALLENGE_REQUIRED', { challenge }));
    choose('Light rules');
    fireEvent.click(button());
    const checking = await screen.findByRole('button', { name: /^Checking your browser…/ });
    expect(checking.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Checking your browser…');
    answer(() => Response.json(page.response('option-2')));
    finish();
    await expectRecorded();
    const [first, second] = service.calls(voteCall);
    expect(first!.headers.get('x-challenge-solution')).toBeNull();
    expect(JSON.parse(atob(second!.headers.get('x-challenge-solution')!))).toEqual({ challenge, solution });
  });

  test('whose solution came too late is sent once more with a new one, then fails with the server’s message', async () => {
    stubSolver()();
    await show();
    answer(() => refusal(428, 'CHALLENGE_REQUIRED', { challenge }));
    await vote();
    await waitFor(() => expect(currentToast.get()).toMatchObject({ text: 'Said by the server: CHALLENGE_REQUIRED' }));
    expect(service.calls(voteCall)).toHaveLength(3);
    expect(radio('Light rules').checked).toBe(true);
    expect(button().textContent).not.toContain('Checking');
  });

  test('that needs a confirmed address asks for it and its code, and is recorded with them', async () => {
    await show();
    answer(() => refusal(428, 'EMAIL_REQUIRED'));
    service.answers['POST /api/vote-codes'] = () => Response.json({ request: 'asked.for' });
    choose('Light rules');
    fireEvent.click(button());
    const email = await screen.findByLabelText('Email address');
    expect(screen.getByRole('dialog', { name: 'Confirm your email address' })).toBeTruthy();
    fireEvent.change(email, { target: { value: 'anna@example.org' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send the code' }));
    const code = await screen.findByLabelText('Code');
    expect(screen.getByText(/six digits to anna@example.org/)).toBeTruthy();
    const within = screen.getByRole('dialog');
    const submit = () => fireEvent.submit(within.querySelector('form')!);
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe('Enter the six digits from the mail.');

    answer(() => refusal(403, 'EMAIL_CODE_WRONG'));
    fireEvent.change(code, { target: { value: '12 34 56' } });
    submit();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Said by the server: EMAIL_CODE_WRONG'));
    answer(() => Response.json(page.response('option-2')));
    fireEvent.change(screen.getByLabelText('Code'), { target: { value: '654321' } });
    submit();
    await expectRecorded();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(service.calls(voteCall).map(({ headers }) => headers.get('x-email-code'))).toEqual([
      ...[null, 'asked.for.123456', 'asked.for.654321'],
    ]);
  });

  test('that needs a confirmed address keeps the choice when the visitor gives up, and asks again for an expired code', async () => {
    await show();
    answer(() => refusal(428, 'EMAIL_REQUIRED'));
    service.answers['POST /api/vote-codes'] = () => Response.json({ request: 'asked.for' });
    choose('Light rules');
    fireEvent.click(button());
    fireEvent.change(await screen.findByLabelText('Email address'), { target: { value: 'anna@example.org' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send the code' }));
    fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
    answer(() => refusal(403, 'EMAIL_CODE_EXPIRED'));
    fireEvent.submit(screen.getByRole('dialog').querySelector('form')!);
    expect((await screen.findByRole('alert')).textContent).toBe('Said by the server: EMAIL_CODE_EXPIRED');
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('anna@example.org');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(currentToast.get()).toMatchObject({ text: 'Said by the server: EMAIL_REQUIRED' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(radio('Light rules').checked).toBe(true);
  });

  test('in a browser without workers fails with the server’s message and keeps the choice', async () => {
    vi.stubGlobal('Worker', undefined);
    await show();
    answer(() => refusal(428, 'CHALLENGE_REQUIRED', { challenge }));
    await vote();
    expect(currentToast.get()).toMatchObject({ text: 'Said by the server: CHALLENGE_REQUIRED' });
    expect(service.calls(voteCall)).toHaveLength(1);
    expect(screen.getByText('Your choice is still selected.')).toBeTruthy();
  });

  test('[S4.8 S8.8 D10.2] refused as a second one shows the recorded choice from the refusal', async () => {
    await show();
    const before = service.requests.length;
    const refused = { userVote: 'option-1', receipt, poll: page.refused('option-1') };
    answer(() => refusal(409, 'ALREADY_VOTED', refused));
    await vote();
    await expectRecorded();
    expect(chosen()).toContain('Strict rules');
    expect(receiptsOnDevice()).toMatchObject([{ receipt, optionId: 'option-1', option: 'Strict rules' }]);
    expect(currentToast.get()).toMatchObject({ title: page.failure.title, destructive: true });
    expect(calls().slice(before)).toEqual([voteCall]);
    expect(screen.getAllByRole('status').every(({ textContent }) => textContent === '')).toBe(true);
  });
});

test('a vote cast while the open polls load repeats their request, which tells what else the visitor has voted on', async () => {
  const [home] = votingPages;
  const { promise } = Promise.withResolvers<Response>();
  let loads = 0;
  service.answers['GET /api/polls/active'] = () =>
    ++loads === 1 ? promise : Response.json([{ ...weekly, ...home!.response('option-2') }, other]);
  service.answers[home!.voteCall] = () => Response.json(home!.response('option-2'));
  render(home!.page);
  await waitFor(() => expect(loads).toBe(1));
  choose('Light rules');
  fireEvent.click(screen.getAllByRole('button', { name: home!.button })[0]!);
  await waitFor(() => expect(screen.queryByRole('radio')).toBeNull());
  expect(screen.getAllByText('Vote Recorded')).toHaveLength(2);
  expect(loads).toBe(2);
});

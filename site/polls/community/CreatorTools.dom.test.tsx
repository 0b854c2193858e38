import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BlockedMember } from '#api/polls/community/community-polls.contract.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { BlockedMembers } from './BlockedMembers.tsx';
import { EditPoll } from './EditPoll.tsx';
import { closed, open, refusal, service, servePoll } from './fixtures/community-api.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(servePoll);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the form that edits a poll', () => {
  const editCall = 'PATCH /api/community-polls/p1';
  const done = vi.fn();
  const edit = (poll = { ...open, totalVotes: 0 }) => {
    done.mockClear();
    service.answers[editCall] = () => Response.json(poll);
    render(<EditPoll poll={poll} offered={['browser', 'check', 'members']} onDone={done} />);
  };
  const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  const sent = () => service.calls(editCall).map(({ body }) => body);

  test('changes everything about a poll without votes, with a pasted list as options', async () => {
    edit();
    write('Question', 'How do you get\nto work?');
    for (const position of [4, 3]) fireEvent.click(screen.getByLabelText(`Remove option ${position}`));
    for (const position of [1, 2]) write(`Option ${position}`, '');
    fireEvent.paste(screen.getByLabelText('Option 1'), { clipboardData: { getData: () => '1. Bus\n2. Train' } });
    write('Who sees the results', 'creator');
    write('Description', 'In winter.');
    write('End', '');
    fireEvent.click(screen.getByLabelText('People can comment'));
    save();
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
    expect(sent()).toEqual([
      {
        ...{ question: 'How do you get to work?', options: [{ text: 'Bus' }, { text: 'Train' }] },
        ...{ description: 'In winter.', resultVisibility: 'creator', commentsOpen: false, endsAt: null },
      },
    ]);
    expect(currentToast.get()?.title).toBe('Poll updated');
  });

  test('once people have voted, keeps question, options, and result visibility, also while their votes are set aside', async () => {
    for (const counts of [{ totalVotes: 3 }, { totalVotes: 0, setAsideVotes: 3 }]) {
      edit({ ...open, ...counts });
      expect(screen.getByText(/^People have voted/)).toBeTruthy();
      for (const label of ['Question', 'Option 1', 'Who sees the results'])
        expect(screen.queryByLabelText(label)).toBeNull();
      save();
      await waitFor(() => expect(done).toHaveBeenCalledOnce());
      // An end that was not touched is not sent.
      expect(sent().at(-1)).toEqual({ description: open.description, commentsOpen: true });
      cleanup();
    }
  });

  test('has no end for a closed poll, and Cancel sends nothing', () => {
    edit(closed);
    expect(screen.queryByLabelText('End')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(done).toHaveBeenCalledOnce();
    expect(sent()).toEqual([]);
  });

  test('shows a refusal next to its field and keeps what was written', async () => {
    edit();
    const errors = [{ field: 'options.1.text', message: 'This option is already listed' }];
    service.answers[editCall] = () => refusal(400, 'VALIDATION_FAILED', { errors });
    write('Option 1', 'Bus');
    write('Option 2', 'bus');
    save();
    const field = screen.getByLabelText<HTMLInputElement>('Option 2');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText('This option is already listed')).toBeTruthy();
    expect(field.value).toBe('bus');
    expect(done).not.toHaveBeenCalled();
  });

  test('says what is too long when a field is left, and sends nothing until it fits', () => {
    edit();
    const question = screen.getByLabelText('Question');
    write('Question', 'q'.repeat(201));
    expect(question.getAttribute('aria-invalid')).toBeNull();
    fireEvent.blur(question);
    expect(screen.getByText('Question cannot exceed 200 characters')).toBeTruthy();
    save();
    expect(document.activeElement).toBe(question);
    expect(sent()).toEqual([]);
  });

  test('asks before the page is left with changes, until they are saved', async () => {
    const leaves = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
    edit();
    expect(leaves()).toBe(true);
    write('Question', 'How do you get to work?');
    expect(leaves()).toBe(false);
    save();
    await waitFor(() => expect(done).toHaveBeenCalledOnce());
    expect(leaves()).toBe(true);
  });
});

describe('the blocked members', () => {
  const listCall = 'GET /api/community-polls/p1/blocks';
  const member = (n: number): BlockedMember => ({
    ...{ userId: `u${n}`, name: `Member ${n}`, username: `member-${n}` },
    blockedAt: '2026-11-21T07:00:00.000Z',
  });
  let blocked: BlockedMember[];
  beforeEach(() => {
    blocked = [member(1), member(2)];
    service.answers[listCall] = () => Response.json(blocked);
    service.answers['DELETE /api/community-polls/p1/blocks/u1'] = () => {
      blocked = [member(2)];
      return new Response(null, { status: 204 });
    };
  });
  const unblock = (name: string) => screen.findByRole('button', { name: `Unblock ${name}` });

  test('are listed, and one who is unblocked leaves the list', async () => {
    render(<BlockedMembers pollId="p1" />);
    const section = (await screen.findByRole('heading', { name: 'Blocked Members' })).closest('section')!;
    expect(within(section).getAllByRole('listitem')).toHaveLength(2);
    fireEvent.click(await unblock('Member 1'));
    await waitFor(() => expect(within(section).getAllByRole('listitem')).toHaveLength(1));
    expect(within(section).getByText('Member 2')).toBeTruthy();
  });

  test('are not mentioned while there are none', async () => {
    blocked = [];
    const { container } = render(<BlockedMembers pollId="p1" />);
    await waitFor(() => expect(service.calls(listCall)).toHaveLength(1));
    expect(container.textContent).toBe('');
  });

  test('stay when unblocking fails, with the reason', async () => {
    service.answers['DELETE /api/community-polls/p1/blocks/u2'] = () => refusal(429, 'RATE_LIMITED');
    render(<BlockedMembers pollId="p1" />);
    fireEvent.click(await unblock('Member 2'));
    expect((await screen.findByRole('alert')).textContent).toBe('Said by the server: RATE_LIMITED');
    expect(await unblock('Member 2')).toBeTruthy();
  });
});

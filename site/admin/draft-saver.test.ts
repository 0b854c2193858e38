import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EditedPoll, PollContent } from '#api/polls/poll-editor.contract.ts';
import { emptyContent } from '#domain/poll-draft.ts';
import { ApiError } from '#site/client/api.ts';
import { DraftSaver } from './draft-saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const conflict = new ApiError(409, 'Ben saved this.', { code: 'CONFLICT' });

/** A server with one draft, which another operator can change. */
function server() {
  const shared = { publishedAt: null, publishedBy: null, totalVotes: 0, hasVotes: false, dropped: [], closedAt: null };
  let poll: EditedPoll = {
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
  const requests: object[] = [];
  let failure: Error | null = null;
  let answered: Promise<undefined> = Promise.resolve(undefined);
  const change = ({ ...part }: Partial<PollContent>, changedBy: string) => {
    if (poll.dropped.length > 0) delete part.startsAt;
    poll = { ...poll, content: { ...poll.content, ...part }, version: poll.version + 1, changedBy };
    return poll;
  };
  const merged: string[] = [];
  let kept: string | null = null;
  const opened = () =>
    new DraftSaver<EditedPoll, PollContent>(poll, {
      // The server tidies what it saves.
      contentOf: ({ content }) => ({ ...content, question: content.question.trim() }),
      async save({ version }, part) {
        requests.push(part);
        await answered;
        if (failure) throw failure;
        if (version !== poll.version) throw conflict;
        return change(part, 'Ana');
      },
      load: () => Promise.resolve(poll),
      notTaken: ({ dropped }) => dropped,
      onMerged: ({ changedBy }) => void merged.push(changedBy ?? ''),
      kept: {
        read: () => JSON.parse(kept ?? 'null') as unknown,
        keep: (value) => {
          kept = JSON.stringify(value);
          return true;
        },
        drop: () => {
          kept = null;
        },
      },
    });
  return {
    ...{
      saver: opened(),
      opened,
      requests,
      merged,
      stored: () => poll.content,
      latest: () => poll,
      isStored: () => kept !== null,
    },
    /** The poll opens, so its start can’t be changed any more. */
    opens: () => {
      poll = { ...poll, state: 'open', dropped: ['startsAt'] };
    },
    byBen: (part: Partial<PollContent>) => void change(part, 'Ben'),
    /** Requests are answered once the returned function is called. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      answered = promise;
      return () => resolve(undefined);
    },
    fail: (error: Error | null) => {
      failure = error;
    },
  };
}

test('a start that was typed before the poll opened gives way to the one that is published', async () => {
  const { saver, opens, requests } = server();
  saver.change({ startsAt: '2030-01-01T00:00:00.000Z', question: 'Tea?' });
  opens();
  await vi.runAllTimersAsync();
  const { status, content, stored: poll } = saver.state();
  expect([status, content.startsAt, content.question, poll.dropped]).toEqual(['saved', null, 'Tea?', ['startsAt']]);
  expect(requests).toHaveLength(1);
});

test('typing is saved a moment after the last change, and only the fields that changed', async () => {
  const { saver, requests, stored } = server();
  for (const question of ['T', 'Te', 'Tea?']) saver.change({ question });
  expect([saver.state().status, requests.length]).toEqual(['unsaved', 0]);
  await vi.runAllTimersAsync();
  expect(requests).toEqual([{ question: 'Tea?' }]);
  expect([saver.state().status, stored().question]).toEqual(['saved', 'Tea?']);
  saver.change({ question: 'Tea?' });
  await vi.runAllTimersAsync();
  expect(requests).toHaveLength(1);
});

test('what is typed while a save is under way is saved after it', async () => {
  const { saver, requests, stored, hold } = server();
  const release = hold();
  saver.change({ question: 'Tea?' });
  const first = saver.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(saver.state().status).toBe('saving');
  saver.change({ description: 'Hot.' });
  release();
  expect(await first).toBe(true);
  expect(requests).toEqual([{ question: 'Tea?' }, { description: 'Hot.' }]);
  expect(stored()).toMatchObject({ question: 'Tea?', description: 'Hot.' });
});

test('a failed save is repeated, and nothing that was typed is lost', async () => {
  const { saver, fail, stored } = server();
  fail(new Error('offline'));
  saver.change({ question: 'Tea?' });
  expect(await saver.flush()).toBe(false);
  expect(saver.state()).toMatchObject({ status: 'failed', content: { question: 'Tea?' } });
  fail(null);
  saver.change({ description: 'Hot.' });
  await vi.runAllTimersAsync();
  expect([saver.state().status, stored().question, stored().description]).toEqual(['saved', 'Tea?', 'Hot.']);
});

test('changes of other fields by another operator are merged', async () => {
  const { saver, byBen, merged, stored } = server();
  saver.change({ question: 'Tea?' });
  byBen({ author: 'Ben' });
  await vi.runAllTimersAsync();
  expect(stored()).toMatchObject({ question: 'Tea?', author: 'Ben' });
  expect(saver.state()).toMatchObject({ status: 'saved', content: { author: 'Ben' } });
  expect(merged).toEqual(['Ben']);
});

test('changes of the same field by two operators wait for a decision, and either text can be kept', async () => {
  for (const which of ['mine', 'theirs'] as const) {
    const { saver, byBen, stored } = server();
    saver.change({ question: 'Tea?', author: 'Ana' });
    byBen({ question: 'Coffee?' });
    await vi.runAllTimersAsync();
    expect(saver.state()).toMatchObject({ status: 'conflict', overlap: ['question'], content: { question: 'Tea?' } });
    expect(saver.state().theirs).toMatchObject({ changedBy: 'Ben', content: { question: 'Coffee?' } });
    // Nothing is saved until then.
    saver.change({ description: 'Hot.' });
    await vi.runAllTimersAsync();
    expect(stored()).toMatchObject({ question: 'Coffee?', description: '' });
    saver.resolve(which);
    await vi.runAllTimersAsync();
    expect(saver.state()).toMatchObject({ status: 'saved', theirs: null });
    expect(stored()).toMatchObject({
      question: which === 'mine' ? 'Tea?' : 'Coffee?',
      author: 'Ana',
      description: 'Hot.',
    });
    expect(saver.state().content).toEqual(stored());
  }
});

test('in a conflict, a field that is only typed in then is also decided when the other operator has changed it', async () => {
  for (const which of ['mine', 'theirs'] as const) {
    const { saver, byBen, stored } = server();
    saver.change({ question: 'Tea?' });
    byBen({ question: 'Coffee?', author: 'Ben' });
    await vi.runAllTimersAsync();
    saver.change({ question: 'Green tea?', author: 'Ana' });
    expect(saver.state().overlap).toEqual(['question', 'author']);
    saver.resolve(which);
    await vi.runAllTimersAsync();
    const decided = which === 'mine' ? ['Green tea?', 'Ana'] : ['Coffee?', 'Ben'];
    expect([stored().question, stored().author]).toEqual(decided);
  }
});

test('what could not be saved is kept when the editor is left, and saved when it is opened again', async () => {
  const { saver, opened, fail, stored, isStored, byBen } = server();
  fail(new Error('The session has ended.'));
  saver.change({ question: 'Tea?', author: 'Ana' });
  expect([await saver.flush(), isStored()]).toEqual([false, true]);
  saver.stop();
  fail(null);
  byBen({ description: 'Hot.' });
  const again = opened();
  expect(again.state()).toMatchObject({ isRestored: true, content: { question: 'Tea?', description: 'Hot.' } });
  expect(await again.flush()).toBe(true);
  expect(stored()).toMatchObject({ question: 'Tea?', author: 'Ana', description: 'Hot.' });
  expect([isStored(), again.state().isRestored, opened().state().isRestored]).toEqual([false, false, false]);
});

test('a conflict that nobody has decided waits when the editor is opened again, however often', async () => {
  const { saver, opened, byBen, stored, isStored } = server();
  saver.change({ question: 'Tea?' });
  byBen({ question: 'Coffee?' });
  expect(await saver.flush()).toBe(false);
  for (const description of ['Hot.', 'Hot!']) {
    const again = opened();
    expect(again.state()).toMatchObject({ status: 'conflict', overlap: ['question'], content: { question: 'Tea?' } });
    again.change({ description });
  }
  const last = opened();
  last.resolve('mine');
  expect([await last.flush(), stored(), isStored()]).toMatchObject([
    true,
    { question: 'Tea?', description: 'Hot!' },
    false,
  ]);
});

test('what is discarded is not kept', async () => {
  const { saver, opened, isStored, requests } = server();
  saver.change({ question: 'Tea?' });
  expect(isStored()).toBe(true);
  saver.reset(saver.state().stored);
  expect([await saver.flush(), isStored(), opened().state().content.question, requests]).toEqual([true, false, '', []]);
});

test('what is typed while what is stored is replaced stays, and is saved after it', async () => {
  const { saver, stored, requests } = server();
  const { promise, resolve } = Promise.withResolvers<EditedPoll>();
  const updated = saver.call(async () => saver.show(await promise));
  await vi.advanceTimersByTimeAsync(0);
  saver.change({ question: 'Tea?' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests).toEqual([]);
  resolve(saver.state().stored);
  await updated;
  await vi.runAllTimersAsync();
  expect([saver.state().status, stored().question]).toEqual(['saved', 'Tea?']);
});

test('a text that is saved already is replaced without a conflict, also if the server has tidied it', async () => {
  const { saver, byBen, merged } = server();
  saver.change({ question: 'Tea? ' });
  expect(await saver.flush()).toBe(true);
  await saver.call((poll) => {
    byBen({ question: 'Coffee?' });
    saver.show({ ...poll, version: 3, content: { ...poll.content, question: 'Coffee?' } });
    return Promise.resolve();
  });
  expect(saver.state()).toMatchObject({ status: 'saved', overlap: [], content: { question: 'Coffee?' } });
  saver.change({ question: 'Coffee? ' });
  await saver.flush();
  byBen({ question: 'Milk?' });
  saver.change({ author: 'Ana' });
  expect([await saver.flush(), merged]).toEqual([true, ['Ben']]);
  expect(saver.state()).toMatchObject({ status: 'saved', content: { question: 'Milk?', author: 'Ana' } });
});

test('what is typed while a new address is refused is saved after it', async () => {
  const { saver, stored } = server();
  const { promise, reject } = Promise.withResolvers<EditedPoll>();
  const renamed = saver.call(() => promise);
  await vi.advanceTimersByTimeAsync(0);
  saver.change({ question: 'Tea?' });
  await vi.advanceTimersByTimeAsync(5_000);
  reject(new ApiError(409, 'The address is taken.', { code: 'CONFLICT' }));
  await expect(renamed).rejects.toThrow('The address is taken.');
  expect([saver.state().status, stored().question]).toEqual(['unsaved', '']);
  await vi.runAllTimersAsync();
  expect([saver.state().status, stored().question]).toEqual(['saved', 'Tea?']);
});

test('publishing what somebody else has changed is refused, shows their text, and works at the next attempt', async () => {
  const { saver, byBen, latest } = server();
  const publish = ({ version }: EditedPoll) =>
    version === latest().version ? Promise.resolve(latest()) : Promise.reject(conflict);
  byBen({ question: 'Coffee?' });
  await expect(saver.call(publish)).rejects.toBe(conflict);
  expect(saver.state()).toMatchObject({ status: 'saved', content: { question: 'Coffee?' } });
  await expect(saver.call(publish)).resolves.toBe(latest());
});

import { afterEach, expect, test } from 'vitest';
import type { PollCalendar } from '#api/admin/today/today.contract.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import type { EditedPoll } from './poll-editor.contract.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { askAdmin, auditLog } from '#api/testing/operators.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { fixedClock } from '#platform/clock.ts';
import { beginWaves } from './recurrences.service.ts';

let app: TestApp;
afterEach(() => app.close());

const polls = '/api/admin/polls';
const rule = { every: 2, unit: 'week', until: null, timeZone: 'Europe/Berlin' };
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const call = <T = ErrorBody>(method: string, path: string, json?: object) => askAdmin<T>(app, method, path, json);
const repeat = (id: string, given: object | null = rule) =>
  call<EditedPoll & ErrorBody>('POST', `/api/admin/polls/${id}/recurrence`, { rule: given });
const read = async (id: string) => (await call<EditedPoll>('GET', `${polls}/${id}`)).body;

/** A draft that opens on a Thursday at 9:00 in Berlin, for a week. */
async function thursdays(part: object = {}): Promise<string> {
  const { id, version } = (await call<EditedPoll>('POST', polls, {})).body;
  await call('PATCH', `${polls}/${id}/draft`, {
    ...{ version, question: 'How is the weather?', description: 'Today.', series: 'Weather in Berlin' },
    ...{ startsAt: '2027-03-18T08:00:00.000Z', endsAt: '2027-03-25T08:00:00.000Z', ...part },
  });
  return id;
}

eachDatabase((open) => {
  test('the next wave of a series is a draft in the calendar, at the same local time, and can be edited by itself', async () => {
    const { db } = await open();
    app = await startTestApp(db, { clock: fixedClock(testNow) });
    const id = await thursdays();
    const { status, body } = await repeat(id);
    expect([status, body.recurrence]).toEqual([200, { ...rule, newestAt: '2027-04-01T07:00:00.000Z' }]);
    const wave = await read('weather-in-berlin-2027-04-01');
    expect(wave).toMatchObject({
      state: 'draft',
      content: {
        ...{ question: 'How is the weather?', series: 'Weather in Berlin' },
        ...{ startsAt: '2027-04-01T07:00:00.000Z', endsAt: '2027-04-08T07:00:00.000Z' },
      },
      recurrence: body.recurrence,
    });
    const { body: april } = await call<PollCalendar>('GET', '/api/admin/calendar?month=2027-04');
    expect(april.polls.map((poll) => [poll.id, poll.state])).toEqual([[wave.id, 'draft']]);
    await call('PATCH', `${polls}/${wave.id}/draft`, { version: wave.version, question: 'How was March?' });
    expect((await read(id)).content.question).toBe('How is the weather?');
    expect((await auditLog(db)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['draft.repeat', 'draft.create']),
    );
  });

  test('once a wave has opened, several processes begin the next one once; one that was deleted stays deleted', async () => {
    const { db } = await open();
    app = await startTestApp(db, { clock: fixedClock(testNow) });
    await repeat(await thursdays());
    const ids = () => db('poll_drafts').where('id', 'like', 'weather%').orderBy('id').pluck('id');
    const at = (moment: string) => ({ db, clock: fixedClock(Date.parse(moment)) });
    await beginWaves(at('2027-03-31T12:00:00Z'));
    expect(await ids()).toEqual(['weather-in-berlin-2027-04-01']);
    await call('DELETE', `${polls}/weather-in-berlin-2027-04-01/draft`);
    const opened = at('2027-04-01T07:00:00Z');
    await Promise.all([1, 2, 3, 4].map(() => beginWaves(opened)));
    expect(await ids()).toEqual(['weather-in-berlin-2027-04-15']);
    // The service was down for two months.
    await beginWaves(at('2027-06-20T12:00:00Z'));
    expect(await ids()).toEqual(['weather-in-berlin-2027-04-15', 'weather-in-berlin-2027-06-24']);
  });

  test('a series ends with its last day, and is stopped or repeated otherwise at any time', async () => {
    const { db } = await open();
    app = await startTestApp(db, { clock: fixedClock(testNow) });
    const id = await thursdays();
    expect((await repeat(id, { ...rule, until: '2027-04-01' })).body.recurrence?.until).toBe('2027-04-01');
    await beginWaves({ db, clock: fixedClock(Date.parse('2027-04-01T07:00:00Z')) });
    expect((await read(id)).recurrence).toBeUndefined();
    await repeat(id);
    expect((await repeat(id, { ...rule, every: 1 })).body.recurrence).toMatchObject({ every: 1 });
    expect(await read('weather-in-berlin-2027-03-25')).toMatchObject({ state: 'draft' });
    expect((await repeat(id, null)).body.recurrence).toBeUndefined();
    await beginWaves({ db, clock: fixedClock(Date.parse('2028-01-01T00:00:00Z')) });
    expect(await db('recurrences')).toEqual([]);
  });

  test('a poll without a series or times, and a rule without a wave, are refused and change nothing', async () => {
    const { db } = await open();
    app = await startTestApp(db, { clock: fixedClock(testNow) });
    const errorsOf = async (id: string, given: object = rule) => {
      const { status, body } = await repeat(id, given);
      return [status, ...(body.errors ?? []).map(({ field }) => field)];
    };
    expect(await errorsOf(await thursdays({ series: null }))).toEqual([400, 'series']);
    expect(await errorsOf(await thursdays({ endsAt: null }))).toEqual([400, 'startsAt']);
    const id = await thursdays();
    expect(await errorsOf(id, { ...rule, until: '2027-03-31' })).toEqual([400, 'rule.until']);
    expect(await errorsOf(id, { ...rule, timeZone: 'Europe/Nowhere' })).toEqual([400, 'rule.timeZone']);
    expect(await errorsOf(id, { ...rule, every: 0 })).toContain('rule.every');
    expect([await db('recurrences'), await db('poll_drafts').where('id', 'like', 'weather%')]).toEqual([[], []]);
    expect((await repeat('nothing')).status).toBe(404);
  });
});

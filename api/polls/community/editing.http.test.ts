import { afterEach, expect, test } from 'vitest';
import type { CommunityPoll, RecordedEdit } from './community-polls.contract.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Member, Visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { closeBallot, logWriter, recountPublished } from '#api/testing/vote-logs.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { lockBallots, replaceOptions } from '#api/voting/ballots.service.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { TestApp } from '#api/testing/test-app.ts';

const day = 86_400_000;
/** Transactions that wait for the lock of a ballot, on PostgreSQL. */
const waitingForBallots = async (db: Database) =>
  (
    await db('pg_locks')
      .where({ locktype: 'advisory', granted: false })
      .whereRaw('database = (select oid from pg_database where datname = current_database())')
  ).length;
const iso = (moment: number) => new Date(moment).toISOString();

eachDatabase((open, _engine, once) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  async function start() {
    const { db } = await open();
    app = await startTestApp(db);
    return { db, app, anna: await registered(app, 'anna') };
  }
  const edit = (by: Visitor, id: string, changes: object) =>
    ask<CommunityPoll & { code?: string }>(by, `/api/community-polls/${id}`, 'PATCH', changes);
  const history = async (by: Visitor, id: string) =>
    (await ask<RecordedEdit[]>(by, `/api/community-polls/${id}/edits`)).body;
  const optionsOf = ({ options }: CommunityPoll) => options.map(({ text }) => text);
  const read = async (by: Visitor, id: string) => (await ask<CommunityPoll>(by, `/api/community-polls/${id}`)).body;

  once('a creator changes every text until the first vote, and leaves no history', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna);
    // The response to a vote is made from texts that are cached.
    const other = await made(anna, { question: 'Another one?' });
    await castVote(visitor(app), other.id);
    const changes = {
      question: ' Green tea or coffee? ',
      description: '',
      options: [{ text: 'Green tea' }, { text: 'Coffee' }, { text: ' Neither ' }],
      resultVisibility: 'always',
      endsAt: iso(testNow + day),
    };
    const { status, body } = await edit(anna, id, changes);
    expect([status, body.question, body.description, optionsOf(body), body.resultVisibility, body.endsAt]).toEqual([
      200,
      'Green tea or coffee?',
      '',
      ['Green tea', 'Coffee', 'Neither'],
      'always',
      iso(testNow + day),
    ]);
    expect([await history(visitor(app), id), body.editedAt]).toEqual([[], undefined]);
    const { body: found } = await ask<{ total: number }>(visitor(app), '/api/search?q=green');
    expect(found.total).toBe(1);
  });

  once(
    'a vote from a page with the earlier wording is refused, and one with the new wording shows the new texts',
    async () => {
      const { db, app, anna } = await start();
      const { id, options } = await made(anna);
      await edit(anna, id, { options: [{ text: 'Coffee' }, { text: 'Tea' }] });
      expect((await castVote(visitor(app), id, options[0]!.id)).body.code).toBe('INVALID_OPTION');
      const shown = await read(visitor(app), id);
      const { status, body } = await castVote(visitor(app), id, shown.options[1]!.id);
      expect([status, body.options.map(({ text, votes }) => `${text} ${votes}`)]).toEqual([200, ['Coffee 0', 'Tea 1']]);
      await expectExactCounters(db);
    },
  );

  once(
    'votes after an edit are all in the vote log, and what only the creator sees is not in the site-wide log',
    async () => {
      const { db, app, anna } = await start();
      const writer = logWriter(db, app.clock);
      const [reworded, hidden] = [await made(anna), await made(anna)];
      await tick(writer);
      await edit(anna, reworded.id, { question: 'Green tea or coffee?' });
      await edit(anna, hidden.id, { resultVisibility: 'creator' });
      // An edit that is committed while the tick reads the polls.
      const late = await made(anna);
      let ticking: Promise<boolean> | undefined;
      await db.transaction(async (trx) => {
        await lockBallots(trx, [late.id]);
        ticking = isSqlite(db) ? undefined : tick(writer);
        if (ticking) await expect.poll(() => waitingForBallots(db)).toBe(1);
        await replaceOptions(trx, late.id, [
          { id: 'option-2-1', text: 'Milk' },
          { id: 'option-2-2', text: 'Water' },
        ]);
      });
      await ticking;
      await tick(writer);
      for (const { id } of [reworded, hidden, late]) {
        const { options } = await read(anna, id);
        expect((await castVote(visitor(app), id, options[1]!.id)).status).toBe(200);
        await closeBallot(db, id, app.clock.now());
      }
      await tick(writer);
      expect(await db('vote_logs').whereNotNull('problem')).toEqual([]);
      for (const { id } of [reworded, late])
        expect(await recountPublished(app, id)).toMatchObject({ verdict: 'ok', tally: { counted: [0, 1] } });
      const entries = await db('vote_log_entries').whereLike('text', `%poll/${hidden.id}%`).pluck('text');
      expect(entries.map((text) => text.split('\n')[0])).toEqual(['weathervane/open/v1']);
    },
  );

  once('after the first vote only description and end change, and everyone can read what changed', async () => {
    const { db, app, anna } = await start();
    const { id } = await made(anna);
    await castVote(visitor(app), id);
    for (const changes of [
      { question: 'Milk?' },
      { options: [{ text: 'Milk' }, { text: 'Water' }] },
      { resultVisibility: 'creator' },
      { description: 'New', question: 'Milk?' },
    ])
      expect((await edit(anna, id, changes)).body.code).toBe('CONFLICT');
    app.clock.set(testNow + 1_000);
    const { body } = await edit(anna, id, {
      description: 'At noon.',
      endsAt: iso(testNow + day),
      question: 'Tea or coffee?',
    });
    expect([body.description, body.endsAt, body.editedAt]).toEqual([
      'At noon.',
      iso(testNow + day),
      iso(testNow + 1_000),
    ]);
    // Nothing that differs is nothing to record.
    await edit(anna, id, { description: 'At noon.' });
    await edit(anna, id, { endsAt: null });
    expect(await history(visitor(app), id)).toEqual([
      { editedAt: iso(testNow + 1_000), changes: [{ field: 'endsAt', before: iso(testNow + day), after: null }] },
      {
        editedAt: iso(testNow + 1_000),
        changes: [
          { field: 'description', before: 'In the morning.', after: 'At noon.' },
          { field: 'endsAt', before: null, after: iso(testNow + day) },
        ],
      },
    ]);
    expect((await waitingPages(db).where({ event: 'edited', key: id })).length).toBeGreaterThan(0);
    await expectExactCounters(db);
  });

  test('of an edit and the first votes at the same moment, the texts that were voted on stay', async () => {
    const { db, app, anna } = await start();
    for (let round = 0; round < 5; round += 1) {
      const { id, options } = await made(anna);
      const votes = Array.from({ length: 4 }, () => castVote(visitor(app), id, options[0]!.id));
      const [edited, ...cast] = await Promise.all([edit(anna, id, { question: 'Milk?' }), ...votes]);
      const { question } = await read(anna, id);
      const counted = cast.filter(({ status }) => status === 200).length;
      expect([edited.status, question, counted]).toEqual(
        edited.status === 200 ? [200, 'Milk?', 0] : [409, 'Tea or coffee?', 4],
      );
    }
    await expectExactCounters(db);
  });

  once(
    'an edit that a new poll could not have is refused with its field, and a poll that has ended is not extended',
    async () => {
      const { app, anna } = await start();
      const { id } = await made(anna, { endsAt: iso(testNow + day) });
      const refused = async (changes: object) => {
        const { body } = await ask<{ code: string; errors?: { field: string }[] }>(
          anna,
          `/api/community-polls/${id}`,
          'PATCH',
          changes,
        );
        return [body.code, ...(body.errors ?? []).map(({ field }) => field)];
      };
      expect(await refused({})).toEqual(['VALIDATION_FAILED', '']);
      expect(await refused({ question: ' ' })).toEqual(['VALIDATION_FAILED', 'question']);
      expect(await refused({ options: [{ text: 'Tea' }] })).toEqual(['VALIDATION_FAILED', 'options']);
      expect(await refused({ options: [{ text: 'Tea' }, { text: 'TEA' }] })).toEqual([
        'VALIDATION_FAILED',
        'options.1.text',
      ]);
      expect(await refused({ endsAt: iso(testNow - 1) })).toEqual(['VALIDATION_FAILED', 'endsAt']);
      app.clock.set(testNow + 2 * day);
      expect(await refused({ endsAt: iso(testNow + 3 * day) })).toEqual(['POLL_CLOSED']);
      expect((await edit(anna, id, { description: 'It’s over.' })).status).toBe(200);
    },
  );

  once(
    'a poll whose options look the same since a new rule still loads, and everything else of it can change',
    async () => {
      const { db, anna } = await start();
      const { id, options } = await made(anna);
      await db('ballot_options').where({ ballot_id: id, option_id: options[1]!.id }).update({ text: 'Tea\u200b' });
      expect(optionsOf(await read(anna, id))).toEqual(['Tea', 'Tea\u200b']);
      expect((await edit(anna, id, { question: 'Tea?', endsAt: iso(testNow + day) })).status).toBe(200);
      expect((await edit(anna, id, { options: [{ text: 'Tea' }, { text: 'Te\u200ba' }] })).status).toBe(400);
    },
  );

  once('a creator downloads the results of a poll, and a spreadsheet runs no formula of it', async () => {
    const { app, anna } = await start();
    const { id } = await made(anna, {
      resultVisibility: 'creator',
      options: ['=1+1', 'Coffee'].map((text, index) => ({ id: `option-${index + 1}`, text })),
    });
    const ben: Member = await registered(app, 'ben');
    await castVote(ben, id);
    const response = await anna.fetch(`/api/community-polls/${id}/results.csv`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/csv; charset=utf-8',
      "option,votes,percent\r\n'=1+1,1,100\r\nCoffee,0,0\r\n",
    ]);
  });
});

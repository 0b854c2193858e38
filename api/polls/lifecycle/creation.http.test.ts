import { expect, test } from 'vitest';
import { emptyContent } from '#domain/poll-draft.ts';
import { loadDemonstration } from '#api/admin/demonstration.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { createPoll } from '#api/polls/editing.service.ts';
import { made } from '#api/testing/community-polls.ts';
import { nothing, pollFile, startObserved } from '#api/testing/consequences.ts';
import type { Consequences } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { iso } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { lifecycleTask } from './lifecycle.service.ts';

const [soon, end] = [testNow + 3_600_000, testNow + 86_400_000];

const row = (more: string) => `tea,Tea?,D,Yes|No,${more},Food`;

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    const { clock, anna, names, after: follows } = await startObserved(db, 'anna');
    const after = async (act: () => Promise<unknown>) => {
      const found = await follows(act);
      const task = lifecycleTask({ db, clock, log: silentLogger });
      expect(await follows(task), 'once the clock is looked at').toEqual(nothing);
      return found;
    };
    /** Creates a poll in the editor, which starts at this moment. */
    const publish = (startsAt: number) => {
      const options = ['Yes', 'No', 'Maybe'].map((text, n) => ({ id: `o${n}`, text }));
      const texts = { question: 'Tea?', description: 'D', options, category: 'Food' };
      const content = { ...emptyContent, ...texts, startsAt: iso(startsAt), endsAt: iso(end) };
      return db.transaction((trx) => createPoll(trx, 'tea', content, { actor: 'operator', now: clock.now() }));
    };
    const take = (more: string) => importPolls({ db, clock, source: pollFile(row(more)) });
    const make = async (more: Parameters<typeof made>[1]) => {
      names[(await made(anna, { question: 'Tea?', ...more })).id] = 'tea';
    };
    return { db, clock, after, publish, take, make };
  }
  type Given = Awaited<ReturnType<typeof start>>;

  const counted = { counters: ['+totalPolls 1', '-totalPolls 0'] };
  const opened = { webhooks: ['+poll.opened tea'] };
  const byEditor = {
    ...{ ...nothing, pages: ['+poll tea created'], search: ['+poll tea Tea?'] },
    audit: ['+operator poll.publish poll tea'],
  };
  const byImport = {
    ...{ ...nothing, pages: ['+poll tea imported 1'], search: ['+poll tea Tea?'] },
    audit: ['+terminal import.run import 1'],
  };
  const byMember = {
    ...{ ...nothing, activities: ['+anna poll.created tea'] },
  };
  const seen = { pages: ['+community tea created'], search: ['+community tea Tea?'], ...counted };

  test.each([
    ['open, by an editor', ({ publish }) => publish(testNow), { ...byEditor, ...counted, ...opened }],
    ['scheduled, by an editor', ({ publish }) => publish(soon), byEditor],
    [
      'open, by an import',
      ({ take }) => take(`true,2026-11-01,2026-11-01,${iso(end)}`),
      { ...byImport, ...counted, ...opened },
    ],
    ['scheduled, by an import', ({ take }) => take(`true,2026-11-01,${iso(soon)},${iso(end)}`), byImport],
    [
      'closed, by an import, which is no closing',
      ({ take }) => take('false,2026-11-01,2026-11-01,2026-11-02'),
      {
        ...byImport,
        search: ['+report tea Tea?'],
        counters: ['+archive Food 1', ...counted.counters],
        pages: [...byImport.pages, '+related Food 3'],
      },
    ],
    ['public and open, by a member', ({ make }) => make({}), { ...byMember, ...seen, ...opened }],
    ['public and scheduled, by a member', ({ make }) => make({ startsAt: iso(soon) }), { ...byMember, ...seen }],
    ['unlisted, by a member', ({ make }) => make({ visibility: 'unlisted' }), byMember],
    ['private, by a member', ({ make }) => make({ visibility: 'private' }), byMember],
  ] satisfies [string, (given: Given) => Promise<unknown>, Consequences][])(
    'a poll that is created has its consequences once: %s',
    async (_, act, consequences) => {
      const given = await start();
      expect(await given.after(() => act(given))).toEqual(consequences);
    },
  );

  test('the demo has the consequences of an import, without an entry in the audit log or in headline figures', async () => {
    const { db, clock, after } = await start();
    const { pages, search, counters, audit, webhooks } = await after(() => loadDemonstration(db, clock));
    const ids = await db('ballots').orderBy('id').pluck('id');
    expect(pages.filter((line) => /^\+(poll|community) .* imported 1$/.test(line))).toHaveLength(ids.length);
    expect(search.map((line) => line.split(' ')[1]).sort()).toEqual(ids);
    expect(counters.filter((line) => line.includes('total'))).toEqual([]);
    expect(audit).toEqual([]);
    const openNow = db('ballots').whereNull('closed_at').where('starts_at', '<=', clock.now());
    expect(webhooks).toHaveLength((await openNow.pluck('id')).length);
  });
});

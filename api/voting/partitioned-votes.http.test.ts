import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { plansOf } from '#api/testing/query-plans.ts';
import { testNow } from '#api/testing/test-app.ts';
import { newDigest } from '#api/testing/votes.ts';
import { createVotingIntake } from './intake.service.ts';
import { deleteBallot, deleteNextVotes } from './deletion.service.ts';
import { claimVotes, recordedVotes } from './voting.service.ts';
import type { Vote } from './vote-batch.ts';

const parts = 8;

/** Step 5 of content/handbook/scale.md: the table partitioned by a hash of the ballot, with the same statements. */
async function partitionVotes(db: Database): Promise<void> {
  await db.raw(`
    alter sequence votes_id_seq owned by none;
    drop table votes;
    create table votes (
      id bigint not null default nextval('votes_id_seq'),
      created_at bigint not null,
      ballot_key integer not null,
      option_key integer not null,
      network bigint,
      traits smallint,
      decision_key integer,
      device uuid not null,
      cookie uuid,
      noted boolean not null default false,
      user_id varchar(40),
      nonce uuid,
      primary key (device, ballot_key)
    ) partition by hash (ballot_key);
    create unique index votes_cookie on votes (cookie, ballot_key) where cookie is not null;
    create unique index votes_user on votes (user_id, ballot_key) where user_id is not null;
    create index votes_pending on votes (user_id) where user_id is not null and not noted;
    create index votes_newest on votes using brin (id);
  `);
  for (let part = 0; part < parts; part += 1)
    await db.raw(`create table votes_${part} partition of votes for values with (modulus ${parts}, remainder ${part})`);
}

eachDatabase((open, engine) => {
  const onPostgres = test.runIf(engine === 'PostgreSQL');
  const polls = Array.from({ length: 12 }, (_, n) => `p${n}`);
  async function start() {
    const { db, url } = await open();
    await partitionVotes(db);
    await seedPolls(
      db,
      polls.map((id) => ({ id })),
    );
    return { db, url };
  }
  const vote = (ballotId: string, voter: Partial<Vote['voter']> = {}): Vote => ({
    ...{ ballotId, kind: 'poll', optionId: 'o1' },
    voter: { device: newDigest(), cookie: newDigest(), userId: null, ...voter },
  });

  onPostgres(
    'votes in a table partitioned by ballot count once, even when two processes write the same ones',
    async () => {
      const { db, url } = await start();
      const other = openDatabase(url);
      const intakes = [db, other].map((one) =>
        createVotingIntake({ db: one, clock: fixedClock(testNow), log: silentLogger }),
      );
      await db('users').insert({
        id: 'u',
        username: 'u',
        username_key: 'u',
        password: '',
        created_at: 0,
        updated_at: 0,
      });
      const [device, cookie] = [newDigest(), newDigest()];
      const votes = [
        ...polls.flatMap((id) => Array.from({ length: 10 }, () => vote(id))),
        ...polls.map((id) => vote(id, { device })),
        ...polls.map((id) => vote(id, { cookie })),
        ...polls.map((id) => vote(id, { userId: 'u' })),
      ];
      const outcomes = await Promise.all(intakes.flatMap((intake) => votes.map((one) => intake.cast(one))));
      await Promise.all(intakes.map((intake) => intake.drain()));
      expect(outcomes.filter(({ status }) => status === 'recorded')).toHaveLength(votes.length);
      expect(outcomes.filter(({ status }) => status === 'already-voted')).toHaveLength(votes.length);
      await expectExactCounters(db);
      const filled = await db('votes')
        .countDistinct({ count: db.raw('tableoid') })
        .first<{ count: number }>();
      expect(filled.count).toBeGreaterThan(2);

      await claimVotes(db, 'u', { device, cookie: null, userId: null });
      await db.transaction((trx) => deleteBallot(trx, 'p3'));
      while (await deleteNextVotes(db, intakes[0]!));
      await expectExactCounters(db);
      await other.destroy();
    },
  );

  onPostgres('checking for a vote on a ballot reads one partition, identifying a voter reads all of them', async () => {
    const { db } = await start();
    const partsIn = async (act: () => Promise<unknown>) =>
      new Set(
        (await plansOf(db, act, { anyIndex: true, executed: true }))
          .match(/ on votes_\d[^"]*/g)
          ?.filter((scan) => !scan.includes('never executed'))
          .map((scan) => scan.slice(0, 11)),
      ).size;
    const device = newDigest();
    const voter = { device, cookie: null, userId: null };
    expect(await partsIn(() => recordedVotes(db, voter, ['p1']))).toBe(1);
    expect(await partsIn(() => db('votes').where({ device }).first('id'))).toBe(parts);
  });
});

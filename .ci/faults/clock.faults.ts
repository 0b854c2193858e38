import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { makePolls } from '#ci/bench/make-polls.ts';
import { engines, newPostgresDatabase } from '#ci/bench/new-databases.ts';
import { storedTime } from '#api/voting/vote-batch.ts';
import { lifecycleTask } from '#api/polls/lifecycle/lifecycle.service.ts';
import { startTestApp, testVoterKey } from '#api/testing/test-app.ts';
import type { Scenario } from './scenario.ts';
import { verifyVotes } from './checks.ts';
import { register, startVoters } from './visitors.ts';

const hour = 3_600_000;
const jumps = [0, hour, 0, -hour, 0, 24 * hour, 0, -24 * hour, 0];

/** The API’s clock moves forward and back by an hour and a day during voting. */
export const clockJumps: Scenario = {
  name: 'clock',
  async run(fault) {
    for (const engine of engines) {
      const url =
        engine === 'SQLite'
          ? `sqlite:${fault.folder}/clock.sqlite`
          : await newPostgresDatabase((await fault.postgres()).url);
      const line = fault.line(`the clock moves forward and back by an hour and a day, ${engine}`, jumps.length - 1);
      const db = openDatabase(url);
      fault.later(() => db.destroy());
      await migrate(db);
      const polls = await makePolls(db, 4, 'open');
      const short = polls.pop() ?? '';
      const end = Date.now() + hour / 2;
      await db('ballots').where({ id: short }).update({ ends_at: end });
      const clock = shiftable();
      const app = await startTestApp(db, { clock });
      const turn = lifecycleTask({ db, clock, log: silentLogger });
      const begun = Date.now();
      try {
        const member = await register(app.origin);
        for (const jump of jumps) {
          clock.shift(jump);
          await turn();
          const visitors = startVoters(() => app.origin, polls, 4);
          await pause(300);
          await visitors.stop();
          line.expect(visitors.acknowledged.length > 0, `no vote was accepted with the clock ${jump / hour} h ahead`);
          line.expect(await member.isSignedIn(), `someone was signed out with the clock ${jump / hour} h ahead`);
          await verifyVotes(url, testVoterKey, visitors, line);
          fault.step(`${engine}, ${jump / hour} h`);
        }
      } finally {
        await app.close();
      }
      const ballot = await db('ballots').where({ id: short }).first<{ closed_at: number | null }>('closed_at');
      line.expect(ballot.closed_at === end, 'a closed poll did not stay closed');
      const moments = await db('votes')
        .min('created_at as first')
        .max('created_at as last')
        .first<{ first: number; last: number }>();
      const isSane = moments.first >= storedTime(begun - 24 * hour) && moments.last <= Date.now() + 24 * hour;
      line.expect(isSane, 'a vote was recorded at a time that no clock showed');
    }
  },
};

/** A clock with an offset from the system’s. */
function shiftable(): Clock & { set(moment: number | string): void; shift(by: number): void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    set(moment) {
      ahead = new Date(moment).getTime() - Date.now();
    },
    shift: (by) => (ahead = by),
  };
}

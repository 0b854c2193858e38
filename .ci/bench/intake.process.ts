import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Database } from '#platform/database.ts';

/*
 * Casts votes of one kind in the intake of a checkout, without HTTP, and sends microseconds of processor time per vote. Its modules
 * are those of that checkout, which may be older than this file.
 */
const [root = '', kind = '', file = ''] = process.argv.slice(2);
const load = (path: string) => import(`${pathToFileURL(root).href}/api/${path}`) as Promise<Record<string, never>>;
type Called = (...args: unknown[]) => unknown;
const called = async (path: string, name: string) => (await load(path))[name] as unknown as Called;

const batch = 512;
const now = Date.parse('2026-11-21T08:00:00Z');
const choices: Readonly<Record<string, { choice?: object; further: readonly string[] }>> = {
  single: { further: [] },
  several: { choice: { method: 'several', min: 1, max: 4 }, further: ['option-4'] },
  ranked: { choice: { method: 'ranked', min: 1, max: 4 }, further: ['option-4', 'option-5'] },
};
const { choice, further } = choices[kind]!;

await load('consequences.ts');
const db = (await called('platform/database.ts', 'openDatabase'))(`sqlite:${file}`) as Database;
await (
  await called('platform/database.ts', 'migrate')
)(db, 'k'.repeat(32));
const options = [1, 2, 3, 4, 5].map((place) => ({ id: `option-${place}`, text: `Answer ${place}` }));
const createBallot = await called('voting/ballots.service.ts', 'createBallot');
await db.transaction(async (trx) => {
  await createBallot(trx, {
    ...{ id: 'p', kind: 'community', category: null, listed: true, inTotals: true, startsAt: now - 1_000 },
    ...{ endsAt: null, options, ...(choice && { choice }) },
  });
});
const intake = (await called('voting/intake.service.ts', 'createVotingIntake'))({
  ...{ db, clock: (await called('platform/clock.ts', 'fixedClock'))(now) },
  log: (await load('platform/logger.ts')).silentLogger,
}) as { cast(vote: object): Promise<{ status: string }>; drain(): Promise<void> };

const digest = () => randomBytes(16).toString('hex');
const votes = () =>
  Array.from({ length: batch }, (_, place) => ({
    ...{ ballotId: 'p', kind: 'community', optionId: `option-${(place % 3) + 1}`, network: place, traits: 0 },
    ...{ nonce: digest(), voter: { device: digest(), cookie: digest(), userId: null } },
    ...(further.length > 0 && { further }),
  }));

async function cast(batches: number): Promise<number> {
  const all = Array.from({ length: batches }, votes);
  const before = process.cpuUsage();
  for (const some of all) {
    const outcomes = await Promise.all(some.map((vote) => intake.cast(vote)));
    const other = outcomes.find(({ status }) => status !== 'recorded');
    if (other) throw new Error(`A vote was not recorded: ${JSON.stringify(other)}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (batches * batch);
}

await cast(10);
process.send!(await cast(40));
await intake.drain();
await db.destroy();
await rm(file, { force: true });
process.disconnect();

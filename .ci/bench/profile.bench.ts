import { rm } from 'node:fs/promises';
import * as limits from '#contract/limits.ts';
import { noProgress } from '#domain/badges/progress.ts';
import { badgeTrackerOf } from '#api/badges/badges.service.ts';
import { recordEvent } from '#api/badges/events.service.ts';
import { projectMembers } from '#api/badges/projector.service.ts';
import { profileOf, summaryOf } from '#api/profile/profile.service.ts';
import { activityDaysOf, activityPage } from '#api/profile/timeline.service.ts';
import { addLongHistory } from '#api/testing/long-history.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { benchTexts } from './texts.ts';
import { engines, newDatabases, workFolder } from './new-databases.ts';
import { median } from './report.ts';
import type { Row } from './report.ts';

/** Times that one thing is asked for in one measurement. */
const asks = 50;
/** Milliseconds that the profile may take of the database. */
const most = 10;
const texts = benchTexts.profile;

interface ProfileBenchOptions {
  readonly rounds: number;
  readonly only: string | null;
  /** Activities of the member with a past. */
  readonly activities: number;
  report(line: string): void;
}

const newcomer = 'bench-newcomer';
const veteran = 'bench-veteran';
const clock = { now: () => Date.now() };

/** Measures the calls of a member's pages, and what one more fact costs, for a newcomer and for somebody with a past. */
export async function benchProfile(options: ProfileBenchOptions): Promise<Row[]> {
  const folder = await workFolder();
  const cleanUps: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const later = (cleanUp: () => Promise<void>) => void cleanUps.push(cleanUp);
  try {
    const rows: Row[] = [];
    let slowest = 0;
    for (const engine of engines) {
      if (options.only !== null && engine !== options.only) continue;
      const db = openDatabase(await (await newDatabases(engine, folder, later))());
      later(() => db.destroy());
      await fill(db, options.activities);
      for (const [name, ask] of Object.entries(asked(db))) {
        const [young, old] = await measure(ask, options.rounds);
        if (name === texts.call) slowest = Math.max(slowest, old);
        options.report(texts.line({ name: `${engine}: ${name}`, young, old }));
        rows.push({
          [texts.columns.call]: `${engine}: ${name}`,
          [texts.columns.newcomer]: young.toFixed(2),
          [texts.columns.veteran(options.activities)]: old.toFixed(2),
          [texts.columns.ratio]: (old / young).toFixed(2),
        });
      }
    }
    options.report(texts.verdict(slowest, most));
    return rows;
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function fill(db: Database, activities: number): Promise<void> {
  await migrate(db);
  const now = clock.now();
  const people = [newcomer, veteran];
  await db('users').insert(
    people.map((id) => ({ id, username: id, username_key: id, password: '', created_at: now, updated_at: now })),
  );
  // Both have joined and hold no badge: the next fact is the same news for both.
  const joined = { at: now - 400 * 86_400_000, early: false };
  await db('progress').insert(
    people.map((id) => ({ user_id: id, figures: JSON.stringify({ ...noProgress, joined }) })),
  );
  await addLongHistory(db, veteran, activities, now);
}

/** What is asked about a member, by its name in the table. */
function asked(db: Database): Readonly<Record<string, (userId: string) => Promise<unknown>>> {
  const context = { db, clock };
  let fact = 0;
  return {
    [texts.call]: (userId) => profileOf(context, userId),
    [texts.summary]: (userId) => summaryOf(context, userId),
    [texts.activities]: (userId) => activityPage(context, userId, { limit: limits.activityPageSize }),
    [texts.days]: (userId) => activityDaysOf(context, userId),
    [texts.badges]: (userId) => badgeTrackerOf(db, userId),
    [texts.fact]: async (userId) => {
      await recordEvent(db, userId, { type: 'poll_opened', at: clock.now(), pollId: `fresh-${fact++}` });
      await projectMembers(db, [userId]);
    },
  };
}

/** Medians over all rounds, in milliseconds: of the newcomer and of the veteran, who take turns. */
async function measure(ask: (userId: string) => Promise<unknown>, rounds: number): Promise<[number, number]> {
  const found: Readonly<Record<string, number[]>> = { [newcomer]: [], [veteran]: [] };
  for (let round = 0; round <= rounds; round++)
    for (const [userId, medians] of Object.entries(found)) {
      const times: number[] = [];
      for (let n = 0; n < asks; n++) {
        const started = performance.now();
        await ask(userId);
        times.push(performance.now() - started);
      }
      // Round 0 warms everything up.
      if (round > 0) medians.push(median(times));
    }
  return [median(found[newcomer] ?? []), median(found[veteran] ?? [])];
}

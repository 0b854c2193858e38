import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildFiles } from '#domain/build-files.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureVoterKey } from '#platform/secrets.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { importBatchRows } from '#api/polls/import/poll-queue.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { inBuilds } from '#api/publishing/builds.ts';
import { endedPublishes, runningPublish } from '#api/publishing/job.service.ts';
import type { RunningPublish } from '#api/publishing/job.service.ts';
import { namesIn } from '#api/publishing/disk.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { startFleet } from '#api/testing/api-fleet.ts';
import type { ApiFleet } from '#api/testing/api-fleet.ts';
import { migratedPostgres } from '#api/testing/databases.ts';
import { startTraffic } from '#api/testing/traffic.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { quickFolder } from '#api/testing/quick-folder.ts';
import { seededRandom } from '#api/testing/random.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { startTestSite } from '#api/testing/test-site.ts';
import { deviceDigest, storedVotes } from '#api/testing/votes.ts';
import { damagedFiles, publishedPages } from '#api/testing/test-builds.ts';
import { slow } from '#api/testing/slow.ts';
import type { SiteServer } from '#site/server/site-server.ts';

/**
 * Three API services on one PostgreSQL behind site services. They are killed and restarted in turn while people vote,
 * read, sign in, guess passwords, and import. SCALE_OUT_SECONDS=120 runs longer, SCALE_OUT_SEED repeats an earlier run
 * as far as the machine allows.
 */
const seconds = Number(process.env.SCALE_OUT_SECONDS ?? 4);
const seed = Number(process.env.SCALE_OUT_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
const adminPassword = 'only for this test';
const importedPolls = 3 * importBatchRows;

const cleanUps: (() => unknown)[] = [];
let dataDir: string;
let db: Database;
/** One per API service, which it tries first; the others are its fallbacks. */
let sites: SiteServer[];
let fleet: ApiFleet;
/** The scenario runs once; each test checks another part of its outcome. */
let outcome: Awaited<ReturnType<typeof runScenario>>;

const randomAddress = () => `${random.pick([23, 62, 88, 91])}.${[0, 0, 0].map(() => random.whole(1, 254)).join('.')}`;
/** The index of the site service that receives the requests from an address. */
const siteIndexOf = (address: string) => parseInt(hash('sha256', address).slice(0, 8), 16) % sites.length;
/** A call from an address through its site service. */
const send = (path: string, init: RequestInit = {}, from = randomAddress()) => {
  const headers = new Headers(init.headers);
  headers.set('x-forwarded-for', from);
  return fetch(`http://127.0.0.1:${sites[siteIndexOf(from)]!.port}${path}`, { ...init, headers });
};
/** The app for `people`; each call comes from another address, so any service may handle it. */
const anywhere = { fetch: (path: string, init?: RequestInit) => send(path, init) } as TestApp;

beforeAll(
  async () => {
    dataDir = await mkdtemp(join(quickFolder(), 'weathervane-scale-out-'));
    cleanUps.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const created = await migratedPostgres();
    cleanUps.push(() => created.remove());
    db = openDatabase(created.url);
    cleanUps.push(() => db.destroy());
    const env = { DATABASE_URL: created.url, ADMIN_PASSWORD: adminPassword, VOTER_KEY: '', STUB_PAUSE_MS: '1' };
    fleet = await startFleet(3, { folder: dataDir, env });
    cleanUps.push(() => fleet.stop());
    const apiOrders = fleet.origins.map((_, n) => [...fleet.origins.slice(n), ...fleet.origins.slice(0, n)]);
    sites = await Promise.all(apiOrders.map((apiOrigin) => startTestSite(dataDir, { apiOrigin })));
    cleanUps.push(() => Promise.all(sites.map((site) => site.close())));
    outcome = await runScenario();
  },
  180_000 + seconds * 4_000,
);

afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}, 30_000);

async function runScenario() {
  const begun = Date.now();
  const endings = Array.from({ length: 4 + seconds }, (_, n) => ({
    id: `ends-${n}`,
    startsAt: begun - 60_000,
    endsAt: begun + 500 + n * 700,
  }));
  await seedPolls(db, [
    ...['open', 'other'].map((id) => ({ id, startsAt: begun - 60_000, endsAt: begun + 86_400_000 })),
    ...endings,
    ...Array.from({ length: 20 }, (_, n) => ({ id: `old-${n}`, closedAt: begun - 1_000_000 + n })),
  ]);
  const anna = await registered(anywhere, 'anna');
  const bert = await registered(anywhere, 'bert');

  const traffic = startTraffic({
    ...{ send, random, origins: fleet.origins, members: [anna, bert] },
    pollIds: ['open', 'open', 'other', ...endings.map(({ id }) => id)],
  });

  let kills = 0;
  const killAndRestart = async (victim: number) => {
    await fleet.kill(victim);
    kills += 1;
    await pause(random.whole(0, 300));
    await fleet.start(victim);
  };

  // First the service that builds the site. On a busy machine the build may finish before the kill; then once more.
  let killedBuild: RunningPublish | null;
  let firstVictim: number;
  do {
    await recordChanges(db, Date.now(), [{ kind: 'site', key: 'asked for by a test' }]);
    await vi.waitFor(() => expect(buildsUnderWay()).toHaveLength(1), { timeout: 60_000, interval: 5 });
    const [, builder] = buildsUnderWay()[0]!;
    killedBuild = await runningPublish(db);
    firstVictim = fleet.pids().indexOf(builder);
    await killAndRestart(firstVictim);
  } while (
    killedBuild === null ||
    (await endedPublishes(db)).some((ended) => ended.startedAt === killedBuild!.startedAt && ended.error === undefined)
  );

  // Then the service that imports, through a site service whose API was not just killed.
  let importer = randomAddress();
  while (siteIndexOf(importer) === firstVictim) importer = randomAddress();
  const file = importFile();
  const upload = async () => {
    const form = new FormData();
    form.set('csvFile', new File([file], 'polls.csv', { type: 'text/csv' }));
    form.set('password', adminPassword);
    const answer = await send('/api/polls/bulk-upload', { method: 'POST', body: form }, importer).catch(() => null);
    return { status: answer?.status, body: (await answer?.json()) as Record<string, number> | undefined };
  };
  const uploading = upload();
  await vi.waitFor(async () => expect(await importedNow()).toBeGreaterThan(0), { timeout: 60_000, interval: 2 });
  await killAndRestart(siteIndexOf(importer));
  const brokenOff = await uploading;
  const half = await importedNow();
  // As if the import’s heartbeat had expired.
  await db('poll_imports').where({ busy: true }).update({ heartbeat_at: 0 });
  const finished = await upload();

  // Then any service.
  while (Date.now() < begun + seconds * 1_000) {
    await killAndRestart(random.whole(0, 2));
    await pause(random.whole(0, 1_500));
  }
  await traffic.stop();

  const last = Math.max(...endings.map(({ endsAt }) => endsAt));
  await pause(Math.max(0, last - Date.now()));
  const settled = async () => {
    expect(await runningPublish(db)).toBeNull();
    expect(await waitingPages(db)).toEqual([]);
    expect(await db('ballots').where({ kind: 'poll', closed_at: null }).pluck('id')).toHaveLength(2);
  };
  await vi.waitFor(settled, { timeout: 90_000, interval: 50 });
  return {
    ...{ ...traffic, endings, anna, bert, kills, killedBuild },
    imports: { brokenOff, half, finished },
  };
}

/** Publishers that have started but not finished, with the service that started each. */
function buildsUnderWay(): (readonly [builder: number, service: number])[] {
  const path = join(dataDir, 'publishers.log');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  const last = /^begin (\d+) of (\d+)$/.exec(lines.at(-1) ?? '');
  return last ? [[Number(last[1]), Number(last[2])]] : [];
}

async function importedNow(): Promise<number> {
  return (await db('polls').where('id', 'like', 'imported-%').pluck('id')).length;
}

/** Closed polls with an analysis each, so that the import takes some time. */
function importFile(): string {
  const header = 'id question description options is_active created_at starts_at ends_at category analysis'.split(' ');
  const rows = Array.from({ length: importedPolls }, (_, n) => {
    const options = [n % 7, 3].map((votes, place) => ({ id: `o${place}`, text: `Answer ${place}`, votes }));
    const dates = ['2026-01-01', '2026-01-01', '2026-01-08'].map((day) => `${day}T00:00:00Z`);
    const analysis = '<p>Many words.</p>'.repeat(30);
    return [`imported-${n}`, `Question ${n}?`, 'Why?', JSON.stringify(options), 'false', ...dates, 'Brought', analysis];
  });
  return stringify([header, ...rows]);
}

const told = (what: string) => `${what} (SCALE_OUT_SEED=${seed}, ${outcome.kills} kills)`;

test('no vote fails, is lost, or counts twice while the API services are killed in turn', slow, async () => {
  expect(outcome.kills).toBeGreaterThanOrEqual(2);
  const voterKey = await ensureVoterKey({ dataDir, voterKey: null });
  const expected = new Map<string, string>();
  const odd: string[] = [];
  for (const { device, pollId, optionId, outcomes } of outcome.votes) {
    const fine = [`200 ${optionId}`, `409 ALREADY_VOTED ${optionId}`];
    if (outcomes.some((outcome) => fine.includes(outcome)))
      expected.set(`${pollId} ${deviceDigest(device, voterKey)}`, optionId);
    const mayBeClosed = pollId.startsWith('ends-');
    odd.push(...outcomes.filter((one) => !fine.includes(one) && !(mayBeClosed && one === '409 POLL_CLOSED')));
  }
  expect(odd, told('answers')).toEqual([]);
  const rows = await storedVotes(db);
  const counted = new Map(rows.map((row) => [`${row.ballot_id} ${row.device}`, row.option_id]));
  expect(rows).toHaveLength(counted.size);
  expect(counted, told('votes')).toEqual(expected);
  await expectExactCounters(db);
});

test('members stay signed in on every API service and are signed out everywhere at once', slow, async () => {
  const { anna, bert, statuses } = outcome;
  expect(statuses.length).toBeGreaterThan(10);
  expect(new Set(statuses), told('sessions')).toEqual(new Set([200]));
  const session = [...bert.cookies].map((pair) => pair.join('=')).join('; ');
  expect((await bert.fetch('/api/logout', { method: 'POST' })).status).toBe(204);
  for (const origin of fleet.origins) {
    expect((await fetch(`${origin}/api/user`, { headers: { cookie: session } })).status).toBe(401);
    const cookie = [...anna.cookies].map((pair) => pair.join('=')).join('; ');
    expect((await fetch(`${origin}/api/user`, { headers: { cookie } })).status).toBe(200);
  }
});

test('wrong passwords are counted across all API services, even if one is killed', slow, async () => {
  const { guesses } = outcome;
  const { points } = rateLimits.signInHere;
  expect(guesses.filter((status) => status === 401).length, told('guesses')).toBeLessThanOrEqual(points);
  expect(guesses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  const admin = await Promise.all(
    Array.from({ length: 3 * fleet.origins.length }, async (_, n) => {
      const origin = fleet.origins[n % fleet.origins.length]!;
      const answer = await fetch(`${origin}/api/admin/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '88.77.66.54' },
        body: JSON.stringify({ password: `a wrong one ${n}` }),
      });
      return answer.status;
    }),
  );
  expect(admin.filter((status) => status === 401)).toHaveLength(rateLimits.adminFailures.points);
  expect(admin.filter((status) => status === 429)).toHaveLength(
    3 * fleet.origins.length - rateLimits.adminFailures.points,
  );
});

test('a poll that ends closes once, on time, and accepts no later vote', slow, async () => {
  const votes = await storedVotes(db);
  for (const { id, endsAt } of outcome.endings) {
    const ballot = await db('ballots').where({ id }).first<{ closed_at: number; is_active: boolean }>();
    expect([id, ballot.closed_at, ballot.is_active]).toEqual([id, endsAt, false]);
    expect(votes.filter((vote) => vote.ballot_id === id && vote.created_at >= endsAt)).toEqual([]);
  }
  const archive = await db('archive_categories').where({ category: 'General' }).first<{ closed_polls: number }>();
  expect(archive.closed_polls, told('closed')).toBe(outcome.endings.length + 20);
});

test('results include every vote acknowledged before the request and never decrease', slow, () => {
  expect(outcome.reads.length).toBeGreaterThan(10);
  expect(outcome.complaints, told('results')).toEqual([]);
});

test(
  'a build whose API service is killed is taken over, and its pages are complete and published once',
  slow,
  async () => {
    const killed = (await endedPublishes(db)).find(({ startedAt }) => startedAt === outcome.killedBuild.startedAt);
    expect(killed?.error).toBe(publishingTexts.runnerDied);
    expect(damagedFiles(dataDir), told('pages')).toEqual([]);
    expect(namesIn(inBuilds(dataDir, buildFiles.drafts))).toEqual([]);
    const pages = await publishedPages(dataDir);
    for (const id of [...outcome.endings.map((one) => one.id), 'imported-0', `imported-${importedPolls - 1}`])
      expect(JSON.parse(pages[`/poll/${id}`]!)).toMatchObject({ poll: { id, isActive: false } });
    // No other builder ran between the start and the end of a build.
    const words = (await readFile(join(dataDir, 'publishers.log'), 'utf8')).trim().split('\n');
    for (const [place, line] of words.entries())
      if (line.startsWith('end')) expect(words[place - 1]?.split(' ')[1]).toBe(line.split(' ')[1]);
  },
);

test('an import whose API service is killed is completed by a second upload', slow, async () => {
  const { brokenOff, half, finished } = outcome.imports;
  expect([brokenOff.status, half % importBatchRows]).toEqual([expect.anything(), 0]);
  expect(finished.status, told('upload')).toBe(200);
  expect(finished.body).toMatchObject({ inserted: importedPolls - half, unchanged: half, rejected: 0 });
  expect(await importedNow()).toBe(importedPolls);
});

test('while two of three API services are down, every read gets a response', slow, async () => {
  const left = random.whole(0, 2);
  await Promise.all([0, 1, 2].filter((place) => place !== left).map((place) => fleet.kill(place)));
  const reader = visitor(anywhere);
  const answers = await Promise.all(Array.from({ length: 30 }, () => reader.fetch('/api/polls/active')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

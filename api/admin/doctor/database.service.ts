import { stat } from 'node:fs/promises';
import { isBefore030 } from '#platform/baseline.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { sqlitePath } from '#platform/config.ts';
import {
  appliedMigrations,
  databaseBytes,
  hasVoterKey,
  knownMigrations,
  openDatabase,
  readOneState,
  sqliteDamage,
  unknownMigrations,
} from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { DamagedDatabase } from '#platform/sqlite-file.ts';
import { lateAfterMs, logAlerts } from '#api/integrity/log/alerts.service.ts';
import { silentWitnesses } from '#api/integrity/log/cosign.service.ts';
import { CheckpointCopy } from '#api/integrity/log/checkpoint-copy.service.ts';
import { differingPolls, pagesAt, siteDifference } from '#api/integrity/log/comparison.service.ts';
import type { DifferingPoll } from '#api/integrity/log/comparison.service.ts';
import { assertLogKeys } from '#api/integrity/log/site-log.service.ts';
import { configuredKeys } from '#platform/secrets.ts';
import { countChanges } from '#api/publishing/changes.service.ts';
import { endedPublishes } from '#api/publishing/job.service.ts';
import { pausedSince } from '#api/publishing/state.service.ts';
import { recountAll, reconcile } from '#api/voting/reconcile.service.ts';
import type { WrongCounter } from '#api/voting/reconcile.service.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';
import { describeSchema, driftBetween, expectedSchema } from './schema.queries.ts';
import type { Drift, ExpectedSchema } from './schema.queries.ts';
import { databaseProblem, reasonOf } from '#platform/database-problem.ts';
import { found, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import {
  closedBeforeStart,
  databaseClock,
  latestMoment,
  inconsistentRows,
  orphansOf,
  overdueBallots,
  consistencyChecks,
} from './rows.queries.ts';

interface CheckOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** Whether wrong counters are corrected. */
  readonly repair: boolean;
}

/** Tolerated differences between clocks, and delays in closing a poll, in milliseconds. */
const tolerance = { clock: 5_000, future: 120_000, closing: 5 * 60_000 };
/** The number of wrong counters, and of schema differences, that are listed. */
const named = { counters: 3, differences: 10 };

/** What is found in a database, its size, and whether it was, or may have been, used with keys. */
interface DatabaseCheck {
  readonly findings: readonly Finding[];
  readonly bytes: number;
  readonly isUsed: boolean;
}

/** Checks the database, as far as it exists and is intact. */
export async function checkDatabase(patient: CheckOptions): Promise<DatabaseCheck> {
  const { databaseUrl } = patient.config;
  const file = sqlitePath(databaseUrl);
  // Opening a file that doesn’t exist would create it.
  if (file !== null && (await stat(file).catch(() => null)) === null)
    return { findings: [found('problem', 'database', texts.database.none(file))], bytes: 0, isUsed: false };
  const db = openDatabase(databaseUrl, { readOnly: true });
  try {
    const damage = await sqliteDamage(db, 'thorough');
    if (file !== null && damage !== null) throw new DamagedDatabase(file, damage);
    const applied = await appliedMigrations(db);
    if (applied.length === 0)
      return { findings: [found('problem', 'database', texts.database.empty)], bytes: 0, isUsed: false };
    const bytes = await databaseBytes(db);
    const isUsed = await hasVoterKey(db);
    if (isBefore030(applied))
      return { findings: [found('problem', 'database', texts.database.before030)], bytes, isUsed };
    return { findings: await checkMigrated(db, applied, bytes, patient), bytes, isUsed };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDamaged = code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB';
    const damage = file !== null && isDamaged ? new DamagedDatabase(file, reasonOf(error)) : error;
    const words = databaseProblem(damage) ?? texts.database.unreadable(reasonOf(error));
    // Of a file that can’t be read, nobody knows that it is unused.
    const bytes = file === null ? 0 : ((await stat(file).catch(() => null))?.size ?? 0);
    return { findings: [found('problem', 'database', words)], bytes, isUsed: bytes > 0 };
  } finally {
    await db.destroy();
  }
}

async function checkMigrated(
  db: Database,
  applied: readonly string[],
  bytes: number,
  { clock, config, repair }: CheckOptions,
): Promise<Finding[]> {
  const expected = await expectedOrReason(db, applied);
  // Without the newest columns, checks of what is in them would only say that these are missing.
  const isCurrent = pendingMigrations(applied).length === 0;
  const checks: [Finding['check'], (db: Database) => Promise<Finding[]>][] = [
    ['schema', async (trx) => schemaFindings(trx, applied, expected)],
    ['rows', (trx) => rowFindings(trx, typeof expected === 'string' ? null : expected)],
    ['keys', (trx) => voterKeyFindings(trx, config)],
    ['clock', (trx) => clockFindings(trx, clock.now())],
    ['pages', buildFindings],
  ];
  const findings: Finding[] = [];
  const attempt = async (check: Finding['check'], runCheck: () => Promise<Finding[]>) => {
    findings.push(
      ...(await runCheck().catch((error: unknown) => {
        // A damaged page may be read only now.
        if ((error as NodeJS.ErrnoException).code === 'SQLITE_CORRUPT') throw error;
        return [found('problem', check, texts.failed(reasonOf(error)))];
      })),
    );
  };
  if (isCurrent) {
    const differing: DifferingPoll[] = [];
    await attempt('results', async () => {
      differing.push(...(await differingResults(db, config, clock)));
      return resultFindings(differing, await siteProblem(db, config));
    });
    await attempt('counters', () => counterFindings(db, config, bytes, repair, differing));
    checks.push(
      ['polls', (trx) => pollFindings(trx, clock.now())],
      ['voteLog', (trx) => voteLogFindings(trx, config, clock.now())],
    );
  }
  for (const [check, runCheck] of checks) await attempt(check, () => readOneState(db, runCheck));
  return findings;
}

/** The polls whose votes, counters, or pages differ from their logs. */
async function differingResults(db: Database, { publicUrl }: Config, clock: Clock): Promise<DifferingPoll[]> {
  return Array.fromAsync(differingPolls({ db, clock, readPage: pagesAt(publicUrl) }));
}

function siteProblem(db: Database, { dataDir, publicUrl }: Config): Promise<string | null> {
  return siteDifference({ db, publicUrl, copy: new CheckpointCopy(dataDir) });
}

function resultFindings(differing: readonly DifferingPoll[], site: string | null): Finding[] {
  const [example] = differing;
  const findings = [
    ...(site === null ? [] : [found('problem', 'results', texts.results.site(site))]),
    ...(example === undefined
      ? []
      : [
          found(
            'problem',
            'results',
            texts.results.differ(differing.length, `${example.pollId}: ${example.difference}`),
          ),
        ]),
  ];
  return findings.length > 0 ? findings : [ok('results', texts.results.ok)];
}

async function counterFindings(
  db: Database,
  config: Config,
  bytes: number,
  repair: boolean,
  differing: readonly DifferingPoll[],
): Promise<Finding[]> {
  const { wrongCounters, recordedVotes } = await readOneState(db, reconcile);
  const database = ok('database', texts.database.ok(nameOf(config), recordedVotes, bytes));
  if (wrongCounters.length === 0) return [database, ok('counters', texts.counters.ok)];
  if (!repair)
    return [database, found('problem', 'counters', texts.counters.wrong(wrongCounters.length, some(wrongCounters)))];
  // The rows may be what was changed.
  if (differing.length > 0)
    return [database, found('problem', 'counters', texts.counters.refused(wrongCounters.length, some(wrongCounters)))];
  const writing = openDatabase(config.databaseUrl);
  const repaired = await recountAll(writing).finally(() => writing.destroy());
  const after = await readOneState(db, reconcile);
  if (after.wrongCounters.length > 0)
    return [
      database,
      found('problem', 'counters', texts.counters.wrong(after.wrongCounters.length, some(after.wrongCounters))),
    ];
  return [database, ok('counters', texts.counters.repaired(repaired.length, some(repaired)))];
}

function some(wrong: readonly WrongCounter[]): string[] {
  return wrong
    .slice(0, named.counters)
    .map(({ counter, counted, expected }) => texts.counters.one(counter, counted, expected));
}

const pendingMigrations = (applied: readonly string[]) => knownMigrations().filter((name) => !applied.includes(name));

/** The schema that the database’s migrations produce, or why it is unknown. */
async function expectedOrReason(db: Database, applied: readonly string[]): Promise<ExpectedSchema | string | null> {
  if (unknownMigrations(applied).length > 0) return null;
  return expectedSchema(db, applied).catch(reasonOf);
}

async function schemaFindings(
  trx: Database,
  applied: readonly string[],
  expected: ExpectedSchema | string | null,
): Promise<Finding[]> {
  const pending = pendingMigrations(applied);
  const findings: Finding[] = [];
  if (expected === null) return [found('problem', 'schema', texts.schema.newer(unknownMigrations(applied)))];
  if (pending.length > 0) findings.push(found('warning', 'schema', texts.schema.pending(pending.length)));
  if (typeof expected === 'string') findings.push(found('warning', 'schema', texts.schema.notCompared(expected)));
  else findings.push(...driftFindings(driftBetween(await describeSchema(trx), expected.schema)));
  return findings.length > 0 ? findings : [ok('schema', texts.schema.ok(applied.length))];
}

function driftFindings({ missing, changed, extra }: Drift): Finding[] {
  return [
    ...missing.slice(0, named.differences).map((what) => found('problem', 'schema', texts.schema.missing(what))),
    ...changed
      .slice(0, named.differences)
      .map(({ what, actual, expected }) => found('problem', 'schema', texts.schema.changed(what, actual, expected))),
    ...(extra.length > 0 ? [found('warning', 'schema', texts.schema.extra(extra.slice(0, named.differences)))] : []),
  ];
}

async function rowFindings(trx: Database, expected: ExpectedSchema | null): Promise<Finding[]> {
  const findings: Finding[] = [];
  const tables = [...(await describeSchema(trx)).keys()];
  for (const reference of expected?.references ?? []) {
    if (![reference.child, reference.parent].every((table) => tables.includes(`table ${table}`))) continue;
    const { count, examples } = await orphansOf(trx, reference);
    if (count > 0)
      findings.push(found('problem', 'rows', texts.rows.orphans(reference.child, reference.parent, count, examples)));
  }
  for (const what of Object.keys(consistencyChecks) as (keyof typeof consistencyChecks)[]) {
    const { count, examples } = await inconsistentRows(trx, what);
    if (count > 0) findings.push(found('problem', 'rows', texts.rows.differs(texts.rows[what], count, examples)));
  }
  return findings.length > 0 ? findings : [ok('rows', texts.rows.ok)];
}

async function pollFindings(trx: Database, now: number): Promise<Finding[]> {
  const overdue = await overdueBallots(trx, now - tolerance.closing);
  const unstarted = await closedBeforeStart(trx, now);
  const findings = [
    ...(overdue.count > 0 ? [texts.polls.overdue(overdue.count, overdue.examples)] : []),
    ...(unstarted.count > 0 ? [texts.polls.closedBeforeStart(unstarted.count, unstarted.examples)] : []),
  ].map((words) => found('warning', 'polls', words));
  return findings.length > 0 ? findings : [ok('polls', texts.polls.ok)];
}

/** Checks whether the voter key is that of the database; whether there is one is another check. */
async function voterKeyFindings(trx: Database, config: Config): Promise<Finding[]> {
  const { voterKey } = await configuredKeys(config).catch(() => ({ voterKey: null }));
  const isOther = voterKey !== null && (await hasVoterKey(trx)) && !(await hasVoterKey(trx, voterKey));
  return isOther ? [found('problem', 'keys', texts.keys.otherVoterKey(config.dataDir))] : [];
}

async function voteLogFindings(trx: Database, config: Config, now: number): Promise<Finding[]> {
  const { behindSeconds, overdue, problems } = await logAlerts(trx, now);
  const witnesses = await silentWitnesses(trx, now, 0);
  const hasKey = await configuredKeys(config)
    .then(({ logKeys }) => assertLogKeys(trx, logKeys, now))
    .then(
      () => true,
      () => false,
    );
  const findings = [
    ...(hasKey ? [] : [found('problem', 'voteLog', texts.voteLog.otherKey(config.dataDir))]),
    ...(overdue > 0 || behindSeconds * 1_000 > lateAfterMs
      ? [found('warning', 'voteLog', texts.voteLog.late(overdue, behindSeconds))]
      : []),
    ...problems
      .slice(0, 1)
      .map(({ pollId, problem }) =>
        found('warning', 'voteLog', texts.voteLog.problems(problems.length, `${pollId}: ${problem}`)),
      ),
    ...witnesses.map(({ name, since, problem }) =>
      found('warning', 'voteLog', texts.voteLog.witness(name, since, problem)),
    ),
  ];
  return findings.length > 0 ? findings : [ok('voteLog', texts.voteLog.ok)];
}

async function clockFindings(trx: Database, now: number): Promise<Finding[]> {
  const [newest, server] = [await latestMoment(trx), await databaseClock(trx)];
  const moment = (time: number) => iso(time);
  if (newest !== null && newest > now + tolerance.future)
    return [found('problem', 'clock', texts.clock.behind(moment(now), moment(newest)))];
  if (server !== null && Math.abs(server - now) > tolerance.clock)
    return [found('warning', 'clock', texts.clock.differs(Math.abs(server - now) / 1_000))];
  return [ok('clock', texts.clock.ok(moment(now)))];
}

async function buildFindings(trx: Database): Promise<Finding[]> {
  const [last] = await endedPublishes(trx, 1);
  const paused = await pausedSince(trx);
  return [
    ...(last?.error !== undefined ? [found('warning', 'pages', texts.pages.lastFailed(last.error))] : []),
    ...(paused === null ? [] : [found('warning', 'pages', texts.pages.paused(await countChanges(trx), iso(paused)))]),
  ];
}

function nameOf({ databaseUrl }: Config): string {
  const file = sqlitePath(databaseUrl);
  if (file !== null) return texts.database.sqlite(file);
  const { hostname, pathname } = new URL(databaseUrl);
  return texts.database.postgres(pathname.slice(1), hostname);
}

import { insertRows } from '#platform/bulk-rows.ts';
import type { Columns } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';

/*
 * One table has everything that is done later: rows that a transaction leaves for after its commit, and one row for each kind
 * of work that is repeated. What does them is in runner.service.ts, and the kinds are in api/background-work.ts.
 */

/** The kinds of jobs. */
export type JobName =
  | 'open-and-close'
  | 'delete-votes'
  | 'score'
  | 'vote-log'
  | 'publisher'
  | ChangeQueue
  | 'badges'
  | 'delivery'
  | 'mail'
  | 'digest'
  | 'notice'
  | 'rank'
  | 'count-hours'
  | 'count-days'
  | 'spelling'
  | 'sweep';

/** Changes of what pages show, by how urgent they are; see publishing/changes.service.ts. */
export type ChangeQueue = `publish-${'site' | 'now' | 'many' | 'links' | 'sitemap' | 'related' | 'later'}`;

/** A job to enqueue. */
export interface NewJob {
  readonly kind: JobName;
  /** Milliseconds. */
  readonly dueAt: number;
  /** Of the jobs of a kind with the same key there is one: enqueueing it again replaces it, even while it is done. */
  readonly key?: string;
  /** A process does the jobs of a lane one after the other; those of another one don’t wait for them. */
  readonly lane?: string;
  /** The member whose account’s deletion deletes the job. */
  readonly userId?: string | null;
  readonly payload?: object;
}

/** A row of `jobs`. Times in milliseconds. */
export type JobRow = Row<'jobs'> & { readonly kind: JobName };

/** Milliseconds for which a process has a job; it renews the lease while it is at work. */
export const leaseMs = 60_000;
/** Milliseconds by which the clocks of processes may differ. */
const clockSkewMs = 60_000;

const columns: Columns = {
  ...{ kind: 'text', key: 'text', lane: 'text', user_id: 'text', payload: 'text' },
  ...{ due_at: 'bigint', first_due_at: 'bigint' },
};

const rowOf = ({ kind, dueAt, key, lane = '', userId = null, payload = {} }: NewJob) => ({
  ...{ kind, key: key ?? null, lane, user_id: userId, payload: JSON.stringify(payload) },
  ...{ due_at: dueAt, first_due_at: dueAt },
});

/** Leaves jobs for after the commit of a transaction. */
export async function enqueue(trx: Database, jobs: readonly NewJob[]): Promise<void> {
  const replaced = ['lane', 'user_id', 'payload', 'due_at', 'first_due_at'].map((name) => `${name} = excluded.${name}`);
  await insertRows(
    trx,
    'jobs',
    columns,
    jobs.map(rowOf),
    `on conflict (kind, key) do update set ${replaced.join(', ')}, attempts = 0, lease = null`,
  );
}

/** Deletes jobs that are no longer wanted; those under way don’t write what came of them. */
export async function cancelJobs(trx: Database, which: Pick<NewJob, 'kind' | 'key' | 'lane'>): Promise<void> {
  await trx('jobs').where(which).del();
}

/** Adds the jobs that are missing, except those of members whose accounts were deleted meanwhile. */
export async function enqueueMissing(db: Database, jobs: readonly NewJob[]): Promise<void> {
  const member = `select 1 from users where users.id = v.user_id ${isSqlite(db) ? '' : 'for key share'}`;
  const isWanted = `(v.user_id is null or exists (${member}))`;
  await insertRows(db, 'jobs', columns, jobs.map(rowOf), `and ${isWanted} on conflict (kind, key) do nothing`);
}

/** How far ahead jobs of a kind can be due, in milliseconds. */
export type Horizons = ReadonlyMap<JobName, number>;

/** After it, a job is due, too: what is due further ahead than it can be was written before the clock was set back. */
export const latestDue = (horizonMs: number, now: number) => now + horizonMs + clockSkewMs;

/** The kinds of which a job is due. */
export async function dueKinds(db: Database, horizons: Horizons, now: number): Promise<ReadonlySet<JobName>> {
  // Each is one look into the index, however many jobs wait.
  const first = (range: string) =>
    `select kind from (select kind from jobs where kind = ? and ${range} order by due_at limit 1) as due`;
  const looks = [...horizons].map(() => `${first('due_at <= ?')} union all ${first('due_at > ?')}`);
  const bindings = [...horizons].flatMap(([kind, horizonMs]) => [kind, now, kind, latestDue(horizonMs, now)]);
  const kinds = await db.from(db.raw(`(${looks.join(' union all ')}) as due`, bindings)).pluck<JobName[]>('kind');
  return new Set(kinds);
}

interface Claim {
  readonly kind: JobName;
  readonly horizonMs: number;
  readonly now: number;
  /** The process that will do it. */
  readonly lease: string;
  /** Lanes that have to wait. */
  readonly without: readonly string[];
}

/** Claims the jobs of a kind that have been due longest, and counts an attempt; of several processes, one gets each. */
export async function claimJobs(db: Database, claim: Claim, atMost: number): Promise<JobRow[]> {
  const { kind, horizonMs, now, lease, without } = claim;
  const claimOf = (comparison: '<=' | '>', moment: number) => {
    const first = db('jobs')
      .where({ kind })
      .where('due_at', comparison, moment)
      .whereNotIn('lane', [...without]);
    void first.orderBy(['due_at', 'id']).limit(atMost).select('id');
    return db('jobs')
      .withMaterialized('due', isSqlite(db) ? first : first.forUpdate().skipLocked())
      .whereIn('id', db('due').select('id'))
      .update({ lease, due_at: now + leaseMs, attempts: db.raw('attempts + 1') })
      .returning<JobRow[]>('*');
  };
  const claimed = await claimOf('<=', now);
  return claimed.length > 0 ? claimed : claimOf('>', latestDue(horizonMs, now));
}

/** Claims one. */
export const claimJob = async (db: Database, claim: Claim): Promise<JobRow | undefined> =>
  (await claimJobs(db, claim, 1))[0];

/** What tells a claim from others. */
export type Claimed = Pick<JobRow, 'id' | 'lease' | 'attempts'>;

/** The row of a job while the claim holds that returned it. */
const claimed = (trx: Database, { id, lease, attempts }: Claimed) => trx('jobs').where({ id, lease, attempts });

/** Deletes a job that is done or given up; false if it was replaced, deleted, or claimed by another process meanwhile. */
export async function finishJob(trx: Database, job: Claimed): Promise<boolean> {
  return (await claimed(trx, job).del()) > 0;
}

/** Makes a claimed job due later; false as for {@link finishJob}. */
export async function postponeJob(trx: Database, job: Claimed, dueAt: number): Promise<boolean> {
  return (await claimed(trx, job).update({ lease: null, due_at: dueAt })) > 0;
}

/** The same for a job that was not attempted, or that is repeated. */
export async function giveBackJob(db: Database, job: Claimed, dueAt: number): Promise<void> {
  await claimed(db, job).update({ lease: null, due_at: dueAt, attempts: job.attempts - 1 });
}

/** Lets another process take over work that is repeated; false as for {@link finishJob}. */
export async function releaseJob(db: Database, id: number, lease: string): Promise<boolean> {
  return (await db('jobs').where({ id, lease }).update({ lease: null, due_at: 0, payload: '{}' })) > 0;
}

interface Renewal {
  readonly ids: readonly number[];
  readonly lease: string;
  readonly now: number;
  /** Replaces the payload. */
  readonly payload?: object | undefined;
}

/** Renews the leases of jobs that a process does; returns the ids of those that it still has. */
export async function renewLeases(db: Database, { ids, lease, now, payload }: Renewal): Promise<ReadonlySet<number>> {
  const rows = await db('jobs')
    .whereIn('id', [...ids])
    .where({ lease })
    .update({ due_at: now + leaseMs, ...(payload && { payload: JSON.stringify(payload) }) })
    .returning('id');
  return new Set(rows.map(({ id }) => id));
}

/** Milliseconds that each further attempt waits whose process ended: a service that restarts in a loop must not use them up. */
const killedWaitMs = 60_000;

/**
 * Makes the jobs of processes that ended due again: at once after the first attempt, later after each further one. Repeated
 * work, which is never given up, is due at once.
 */
export async function freeLeases(db: Database, isGone: (lease: string) => boolean, now: number): Promise<void> {
  const leases = await db('jobs').whereNotNull('lease').distinct().pluck<string[]>('lease');
  const gone = leases.filter(isGone);
  if (gone.length === 0) return;
  const isKilledAgain = `attempts > 1 and coalesce(key, 'none') <> ''`;
  const due_at = db.raw(`cast(? as bigint) + case when ${isKilledAgain} then (attempts - 1) * ? else 0 end`, [
    now,
    killedWaitMs,
  ]);
  await db('jobs').whereIn('lease', gone).update({ lease: null, due_at });
}

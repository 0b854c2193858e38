import type { ChecklistStep } from './today.contract.ts';
import type { Database } from '#platform/database.ts';

/** What the admin pages remember in the table `installation`, by name; each value is JSON. */
export interface InstallationRecords {
  'desk.dismissed': { readonly at: number };
  'desk.mail-test': { readonly at: number; readonly accepted: boolean };
  'desk.backup-test': BackupTestRecord;
  /** What the last mail and event listed. */
  'desk.notified': { readonly at: number; readonly kinds: readonly string[] };
}

/** A backup test. Times in milliseconds. */
export interface BackupTestRecord {
  readonly state: 'running' | 'passed' | 'failed';
  readonly startedAt: number;
  readonly heartbeatAt: number;
  readonly finishedAt: number | null;
  readonly phase: 'copying' | 'packing' | 'unpacking' | 'checking';
  readonly percent: number;
  readonly bytes: number | null;
  readonly error: string | null;
}

const confirmation = (step: ChecklistStep) => `desk.confirmed.${step}`;

/** A record; null if there is none. */
export async function readRecord<N extends keyof InstallationRecords>(
  db: Database,
  name: N,
): Promise<InstallationRecords[N] | null> {
  const row = await db('installation').where({ name }).first('value');
  return row === undefined ? null : (JSON.parse(row.value) as InstallationRecords[N]);
}

/** Writes a record, or deletes it. */
export async function writeRecord<N extends keyof InstallationRecords>(
  db: Database,
  name: N,
  value: InstallationRecords[N] | null,
): Promise<void> {
  await write(db, name, value);
}

/** Writes a record if it is still `before`; of several processes, one succeeds. */
export async function replaceRecord<N extends keyof InstallationRecords>(
  db: Database,
  name: N,
  before: InstallationRecords[N] | null,
  after: InstallationRecords[N],
): Promise<boolean> {
  const value = JSON.stringify(after);
  if (before === null)
    return (
      (await db('installation').insert({ name, value }).onConflict('name').ignore().returning('name')).length === 1
    );
  return (
    (await db('installation')
      .where({ name, value: JSON.stringify(before) })
      .update({ value })) === 1
  );
}

/** When the operator confirmed steps of the checklist, by step. */
export async function confirmations(db: Database): Promise<ReadonlyMap<string, number>> {
  const prefix = 'desk.confirmed.';
  const rows = await db('installation').whereLike('name', `${prefix}%`).select('name', 'value');
  return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), Number(value)]));
}

/** Whether the operator confirmed a step of the checklist. */
export async function isConfirmed(db: Database, step: ChecklistStep): Promise<boolean> {
  return (
    (await db('installation')
      .where({ name: confirmation(step) })
      .first('name')) !== undefined
  );
}

/** Records that a step was confirmed at a time in milliseconds, or, with null, that it isn’t any more. */
export async function confirm(db: Database, step: ChecklistStep, at: number | null): Promise<void> {
  await write(db, confirmation(step), at);
}

async function write(db: Database, name: string, value: unknown): Promise<void> {
  if (value === null) await db('installation').where({ name }).del();
  else
    await db('installation')
      .insert({ name, value: JSON.stringify(value) })
      .onConflict('name')
      .merge();
}

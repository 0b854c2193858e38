import type { LeftReason } from './poll-import.contract.ts';
import type { Database } from '#platform/database.ts';
import type { Image, ImportRow } from './import-history.queries.ts';

/** The images that have not been restored yet. */
const waiting = (db: Database, importId: number) =>
  db('poll_import_images').where({ import_id: importId }).whereNull('kept');

/** The newest import that can be undone, of these or of all: one with stored images. */
export async function undoableIds(db: Database, ids?: readonly number[]): Promise<number[]> {
  return db('poll_imports')
    .whereIn('state', ['done', 'stopped', 'undoing'])
    .where((some) => void (ids && some.whereIn('id', [...ids])))
    .whereExists(db('poll_import_images').whereRaw('import_id = poll_imports.id').whereNull('kept').select(db.raw('1')))
    .orderBy('id', 'desc')
    .limit(ids?.length ?? 1)
    .pluck('id');
}

/** How an undo treats polls that were edited after the import. */
export interface UndoOptions {
  /** Undo these, too; otherwise they are kept. */
  readonly discardEdits?: boolean;
}

/** Starts to undo an import; false if it can’t be undone. Fails while another import is busy. */
export async function beginUndo(
  trx: Database,
  id: number,
  { discardEdits = false }: UndoOptions,
  now: number,
): Promise<boolean> {
  const begun = await trx('poll_imports')
    .where({ id })
    .whereIn('state', ['done', 'stopped'])
    .whereExists(waiting(trx, id).select(trx.raw('1')))
    .update({ state: 'undoing', busy: true, heartbeat_at: now, discards_edits: discardEdits });
  return begun > 0;
}

/** The next images to restore, up to `most` of them and `size` characters. */
export async function nextImages(
  trx: Database,
  importId: number,
  { most, size }: { most: number; size: number },
): Promise<Image[]> {
  const next = await waiting(trx, importId).orderBy('poll_id').limit(most).select('poll_id', 'size');
  let sum = 0;
  const ids = next.filter((image, place) => (sum += image.size) <= size || place === 0).map(({ poll_id }) => poll_id);
  return waiting(trx, importId).whereIn('poll_id', ids).orderBy('poll_id').select('poll_id', 'before', 'updated_at');
}

/** Deletes restored images. */
export async function dropImages(trx: Database, importId: number, pollIds: readonly string[]): Promise<void> {
  if (pollIds.length > 0)
    await waiting(trx, importId)
      .whereIn('poll_id', [...pollIds])
      .del();
}

/** Marks images of polls that are kept unchanged. */
export async function markLeft(
  trx: Database,
  importId: number,
  pollIds: readonly string[],
  kept: 'votes' | 'changes',
): Promise<void> {
  if (pollIds.length > 0)
    await waiting(trx, importId)
      .whereIn('poll_id', [...pollIds])
      .update({ kept });
}

/** Ends an undo that has nothing left to do. */
export async function endUndo(trx: Database, id: number, now: number): Promise<void> {
  await trx('poll_imports').where({ id, state: 'undoing' }).update({ state: 'undone', busy: false, undone_at: now });
}

/** A later import changed the poll, and was not undone. */
const isLater = `exists (select 1 from poll_import_images j
  where j.poll_id = i.poll_id and j.import_id > i.import_id and j.kept is null)`;
const isNew = 'i.before is null';
const isVotedOn = `(${isNew} and b.total_votes + b.set_aside_votes > b.base_votes)`;
const leftFor = {
  later: isLater,
  votes: `(not ${isLater} and ${isVotedOn})`,
  changes: `(not ${isLater} and not ${isVotedOn} and p.updated_at <> i.updated_at)`,
} as const satisfies Record<LeftReason, string>;

/** The ids of those polls that an import after this one changed. */
export async function changedLater(trx: Database, id: number, pollIds: readonly string[]): Promise<Set<string>> {
  const ids = await trx('poll_import_images')
    .where('import_id', '>', id)
    .whereIn('poll_id', [...pollIds])
    .whereNull('kept')
    .distinct()
    .pluck('poll_id');
  return new Set(ids);
}

type Count = 'removed' | 'restored' | 'kept_voted' | 'kept_changed' | 'kept_later' | 'votes';

/** What undoing an import would do now, and the votes cast here on its polls. */
export async function undoCounts(
  db: Database,
  id: ImportRow['id'],
  { discardEdits = false }: UndoOptions,
): Promise<Record<Count, number>> {
  const when = (condition: string) => db.raw(`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`);
  const undone = isUndone(discardEdits);
  const counts = await touched(db, id)
    .select({
      removed: when(`${isNew} and ${undone}`),
      restored: when(`not (${isNew}) and ${undone}`),
      kept_voted: when(leftFor.votes),
      kept_changed: discardEdits ? db.raw('0') : when(leftFor.changes),
      kept_later: when(leftFor.later),
      votes: db.raw('coalesce(sum(b.total_votes + b.set_aside_votes - b.base_votes), 0)'),
    })
    .first<Record<Count, number | string>>();
  return Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])) as Record<
    Count,
    number
  >;
}

const isUndone = (discardEdits: boolean) =>
  ['later', 'votes', ...(discardEdits ? [] : ['changes'])]
    .map((reason) => `not ${leftFor[reason as LeftReason]}`)
    .join(' and ');

/** The first polls that undoing an import would keep for this reason. */
export async function leftPolls(
  db: Database,
  id: number,
  reason: LeftReason,
  most: number,
): Promise<{ id: string; question: string }[]> {
  return touched(db, id).whereRaw(leftFor[reason]).orderBy('i.poll_id').limit(most).select('p.id', 'p.question');
}

/** The first series that have polls which undoing an import would remove or restore. */
export async function touchedSeries(
  db: Database,
  id: number,
  { discardEdits = false }: UndoOptions,
  most: number,
): Promise<string[]> {
  return touched(db, id)
    .whereNotNull('p.series')
    .whereRaw(isUndone(discardEdits))
    .distinct()
    .orderBy('p.series')
    .limit(most)
    .pluck<string[]>('p.series');
}

/** The first imports after this one that changed the same polls, newest first, with the number of these polls. */
export async function laterImports(
  db: Database,
  id: number,
  most: number,
): Promise<(Pick<ImportRow, 'id' | 'file_name' | 'started_at'> & { polls: number })[]> {
  const rows = await db('poll_import_images as i')
    .join('poll_import_images as j', (on) => on.on('j.poll_id', 'i.poll_id').andOn('j.import_id', '>', 'i.import_id'))
    .join('poll_imports as later', 'later.id', 'j.import_id')
    .where('i.import_id', id)
    .whereNull('i.kept')
    .whereNull('j.kept')
    .groupBy('later.id', 'later.file_name', 'later.started_at')
    .orderBy('later.id', 'desc')
    .limit(most)
    .select<(Pick<ImportRow, 'id' | 'file_name' | 'started_at'> & { polls: number | string })[]>(
      'later.id',
      'later.file_name',
      'later.started_at',
      db.raw('count(*) as polls'),
    );
  return rows.map((row) => ({ ...row, polls: Number(row.polls) }));
}

function touched(db: Database, importId: number) {
  return db('poll_import_images as i')
    .join('ballots as b', 'b.id', 'i.poll_id')
    .join('polls as p', 'p.id', 'i.poll_id')
    .where('i.import_id', importId)
    .whereNull('i.kept');
}

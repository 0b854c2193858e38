import type { Database } from '#platform/database.ts';
import type { Image, ImportRow } from './import-history.queries.ts';

/** The images that have not been restored yet. */
const waiting = (db: Database, importId: number) =>
  db('poll_import_images').where({ import_id: importId }).whereNull('kept');

/** The import that can be undone: the one whose images are stored. */
export async function undoableId(db: Database): Promise<number | undefined> {
  const row = await db('poll_import_images')
    .join('poll_imports', 'poll_imports.id', 'poll_import_images.import_id')
    .whereNull('kept')
    .whereIn('poll_imports.state', ['done', 'stopped', 'undoing'])
    .orderBy('import_id', 'desc')
    .first<{ import_id: number } | undefined>('import_id');
  return row?.import_id;
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
  const next = await waiting(trx, importId)
    .orderBy('poll_id')
    .limit(most)
    .select<{ poll_id: string; size: number }[]>('poll_id', 'size');
  let sum = 0;
  const ids = next.filter((image, place) => (sum += image.size) <= size || place === 0).map(({ poll_id }) => poll_id);
  return waiting(trx, importId)
    .whereIn('poll_id', ids)
    .orderBy('poll_id')
    .select<Image[]>('poll_id', 'before', 'updated_at');
}

/** Deletes restored images. */
export async function dropImages(trx: Database, importId: number, pollIds: readonly string[]): Promise<void> {
  if (pollIds.length > 0)
    await waiting(trx, importId)
      .whereIn('poll_id', [...pollIds])
      .del();
}

/** Marks images of polls that are kept unchanged. */
export async function markKept(
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

const isNew = 'i.before is null';
const isVotedOn = 'b.total_votes + b.set_aside_votes > b.base_votes';
const keptFor = {
  votes: `(${isNew} and ${isVotedOn})`,
  changes: `(p.updated_at <> i.updated_at and not (${isNew} and ${isVotedOn}))`,
} as const;

/** What undoing an import would do now. */
export async function undoCounts(
  db: Database,
  id: ImportRow['id'],
  { discardEdits = false }: UndoOptions,
): Promise<Pick<ImportRow, 'removed' | 'restored' | 'kept_voted' | 'kept_changed'>> {
  const when = (condition: string) => db.raw(`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`);
  const isUndone = discardEdits ? `not ${keptFor.votes}` : `not ${keptFor.votes} and not ${keptFor.changes}`;
  const counts = await touched(db, id)
    .select({
      removed: when(`${isNew} and ${isUndone}`),
      restored: when(`not (${isNew}) and ${isUndone}`),
      kept_voted: when(keptFor.votes),
      kept_changed: discardEdits ? db.raw('0') : when(keptFor.changes),
    })
    .first<Record<'removed' | 'restored' | 'kept_voted' | 'kept_changed', number | string>>();
  return {
    removed: Number(counts.removed),
    restored: Number(counts.restored),
    kept_voted: Number(counts.kept_voted),
    kept_changed: Number(counts.kept_changed),
  };
}

/** The first polls that undoing an import would keep for this reason. */
export async function keptPolls(
  db: Database,
  id: number,
  reason: keyof typeof keptFor,
  most: number,
): Promise<{ id: string; question: string }[]> {
  return touched(db, id).whereRaw(keptFor[reason]).orderBy('i.poll_id').limit(most).select('p.id', 'p.question');
}

function touched(db: Database, importId: number) {
  return db('poll_import_images as i')
    .join('ballots as b', 'b.id', 'i.poll_id')
    .join('polls as p', 'p.id', 'i.poll_id')
    .where('i.import_id', importId)
    .whereNull('i.kept');
}

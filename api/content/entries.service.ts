import { record } from '#api/events/record.service.ts';
import { readDraft, slugProblem, writeContentFile } from '#api/content/blog/articles.service.ts';
import type { AuditedEventType } from '#api/events/events.ts';
import type {
  ContentDraft,
  ContentEntry,
  ContentList,
  ContentState,
  ContentSummary,
  ContentVersion,
} from './content.contract.ts';
import { categoriesOf } from '#domain/article.ts';
import { articleSlug } from '#domain/slug.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { isUniqueViolation } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { contentApiTexts as texts } from '#texts/content-editor.ts';
import { asFile, checkEntry, existing, isSameText, scheduleProblem, withDay } from './drafts.service.ts';
import {
  deleteEntryRow,
  deleteVersions,
  entryRow,
  entryRows,
  insertEntry,
  insertVersion,
  lockEntry,
  replaceVersion,
  updateEntry,
  versionCounts,
  versionRow,
  versionRows,
} from './entries.queries.ts';
import type { EntryKey, EntryRow } from './entries.queries.ts';
import { isAsFile } from './load-plan.ts';
import { goLive, withdraw } from './publication.service.ts';

interface ContentContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** Milliseconds in which saves of one operator are one version. */
const sameVersionMs = 10 * 60_000;
/** Versions that the history lists. */
const versionsListed = 200;
/** Milliseconds by which a scheduled time must be ahead: every process notices it by then. */
const scheduleAheadMs = 60_000;

/** Articles and pages for the operator, the last saved first. */
export async function listContent(db: Database): Promise<ContentList> {
  const rows = await entryRows(db);
  const shown = rows.filter((row) => row.deleted_at === null || row.newer_file !== null);
  const slugs = new Set(rows.filter(({ folder }) => folder === 'blog').map(({ name }) => name));
  const entries = shown.map(async (row) => ({ ...summaryOf(row), ...(await scheduleProblem(db, row, slugs)) }));
  const categories = shown.flatMap(({ folder, source }) => {
    const { category } = folder === 'blog' ? readDraft(source).head : {};
    return category === undefined ? [] : [{ category }];
  });
  return { entries: await Promise.all(entries), categories: categoriesOf(categories).map((one) => one.name) };
}

/** An article or page as it was saved last; a deleted one only if it has a newer file. Throws NOT_FOUND. */
export async function readEntry(db: Database, key: EntryKey): Promise<ContentEntry> {
  const row = await entryRow(db, key);
  // Whether its newer file brings back a deleted article is for the operator to decide.
  return present(row?.newer_file != null ? row : existing(row));
}

/** A name for an article, with a number if others have it. */
async function freeName(db: Database, wanted: string): Promise<string> {
  const base = wanted === '' || slugProblem(wanted) !== null ? texts.unnamed : wanted;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!(await entryRow(db, { folder: 'blog', name }))) return name;
  }
}

/** Creates the draft of an article, at an address from its title if it has no `name`. Throws VALIDATION_FAILED, and CONFLICT when its name is taken. */
export async function createArticle(
  { db, clock }: ContentContext,
  actor: string,
  { name: given, title }: { readonly name?: string; readonly title: string },
): Promise<ContentEntry> {
  const name = given ?? (await freeName(db, articleSlug(title)));
  assertName(name);
  const now = clock.now();
  const source = writeContentFile({ head: { title }, text: '' });
  return whileNameIsFree(() =>
    db.transaction(async (trx) => {
      const earlier = await lockEntry(trx, { folder: 'blog', name });
      if (earlier?.deleted_at === null) throw errors.conflict(texts.nameTaken(name));
      const made = { source, created_at: now, updated_at: now, updated_by: actor };
      const row = earlier
        ? await updateEntry(trx, earlier, { ...made, deleted_at: null, version: earlier.version + 1 })
        : await insertEntry(trx, { folder: 'blog', name, ...made });
      await insertVersion(trx, row, { event: 'created', actor, created_at: now });
      await audit(trx, { row, at: now, actor, action: 'content.create', after: { title } });
      return present(row);
    }),
  );
}

/**
 * Saves a text without publishing it. Saves of one operator within some minutes are one version of the history. Throws
 * NOT_FOUND, VALIDATION_FAILED, and CONFLICT when somebody else has saved since `version`.
 */
export async function saveEntry(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  { version, name = key.name, ...draft }: ContentDraft & { readonly version: number; readonly name?: string },
): Promise<ContentEntry> {
  const source = asFile(draft);
  return whileNameIsFree(() =>
    db.transaction(async (trx) => {
      const row = await lockedAt(trx, key, version);
      if (name !== row.name) {
        if (!canRename(row)) throw errors.conflict(texts.addressFixed);
        assertName(name);
        if (await entryRow(trx, { folder: row.folder, name })) throw errors.conflict(texts.nameTaken(name));
      } else if (isSameText(source, row.source)) return present(row);
      return present(await store(trx, row, { source, name, event: 'saved', actor, now: clock.now() }));
    }),
  );
}

/** Publishes what was saved last, now or at a time. Throws NOT_FOUND, VALIDATION_FAILED, CONFLICT. */
export async function publishEntry(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  { version, at }: { readonly version: number; readonly at?: string },
): Promise<ContentEntry> {
  return db.transaction(async (trx) => {
    let row = await lockedAt(trx, key, version);
    const now = clock.now();
    const due = at === undefined ? null : Date.parse(at);
    // The format of the contract allows leap seconds, which Date can't parse.
    if (due !== null && !(due >= now + scheduleAheadMs))
      throw errors.validationFailed([{ field: 'at', message: texts.tooSoon }]);
    const source = withDay(row.folder, row.source, due ?? now);
    const { problems } = await checkEntry(trx, row, source);
    if (problems.length > 0)
      throw errors.validationFailed(problems.map(({ message, field }) => ({ field: field ?? 'text', message })));
    if (!isSameText(source, row.source)) row = await store(trx, row, { source, event: 'saved', actor, now });
    if (due !== null) {
      row = await updateEntry(trx, row, { publish_at: due, publish_version: row.version });
      await audit(trx, { row, at: now, actor, action: 'content.schedule', after: { at: iso(due) } });
    } else if (row.live !== row.source || row.publish_at !== null) {
      row = await goLive(trx, row, row, now);
      await audit(trx, { row, at: now, actor, action: 'content.publish', after: { version: row.version } });
    }
    return present(row);
  });
}

/** Cancels a schedule, or takes a published article off the site. Throws NOT_FOUND, CONFLICT. */
export async function unpublishEntry(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  version: number,
): Promise<ContentEntry> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    const row = await lockedAt(trx, key, version);
    if (row.publish_at !== null) {
      await audit(trx, {
        ...{ row, at: now, actor, action: 'content.unschedule' },
        before: { at: iso(row.publish_at) },
      });
      return present(await updateEntry(trx, row, { publish_at: null, publish_version: null }));
    }
    if (row.folder !== 'blog') throw errors.conflict(texts.pagesStay);
    if (row.live === null) throw errors.conflict(texts.notPublished);
    const withdrawn = await withdraw(trx, row, now);
    await audit(trx, { row, at: now, actor, action: 'content.unpublish' });
    return present(withdrawn);
  });
}

/** Deletes an article with its history. Throws NOT_FOUND, and CONFLICT for a page. */
export async function deleteArticle(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  version: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    const row = await lockedAt(trx, key, version);
    if (row.folder !== 'blog') throw errors.conflict(texts.pagesStay);
    await forget(trx, row, actor, clock.now());
  });
}

/**
 * Deletes an article that is locked. What was public, or has a file, leaves its name, so that its address answers 410 and
 * the file doesn’t bring it back.
 */
async function forget(trx: Database, row: EntryRow, actor: string, now: number): Promise<void> {
  const { title } = summaryOf(row);
  if (canRename(row)) await deleteEntryRow(trx, row);
  else {
    const left = await withdraw(trx, row, now, { forget: true });
    await deleteVersions(trx, row);
    await updateEntry(trx, left, { deleted_at: now, source: '', updated_at: now, updated_by: actor });
  }
  await audit(trx, { row, at: now, actor, action: 'content.delete', before: { title } });
}

/** Deletes those of these articles that were never changed, in the browser or in their files; returns how many. */
export async function removeUnchangedArticles(
  { db, clock }: ContentContext,
  actor: string,
  names: readonly string[],
): Promise<number> {
  const unchanged = await unchangedArticles(db, names);
  for (const key of unchanged)
    await db.transaction(async (trx) => {
      const row = await lockEntry(trx, key);
      if (row && isAsFile(row)) await forget(trx, row, actor, clock.now());
    });
  return unchanged.length;
}

/** Those of these articles that are as they were when first loaded from their files. */
export async function unchangedArticles(db: Database, names: readonly string[]): Promise<EntryKey[]> {
  const rows = await entryRows(db);
  const candidates = rows.filter((row) => row.folder === 'blog' && names.includes(row.name) && isAsFile(row));
  const versions = await versionCounts(
    db,
    candidates.map(({ id }) => id),
  );
  return candidates.filter(({ id }) => versions.get(id) === 1);
}

/** The versions of a text, newest first; throws NOT_FOUND. */
export async function listVersions(db: Database, key: EntryKey): Promise<ContentVersion[]> {
  const { id } = existing(await entryRow(db, key));
  const rows = await versionRows(db, id, versionsListed);
  return rows.map(({ version, event, actor, created_at, published_at }) => ({
    ...{ version, event, actor },
    createdAt: iso(created_at),
    publishedAt: isoOrNull(published_at),
  }));
}

/** One version of a text, as a file; throws NOT_FOUND. */
export async function readVersion(db: Database, key: EntryKey, version: number): Promise<{ source: string }> {
  const { id } = existing(await entryRow(db, key));
  const found = await versionRow(db, id, version);
  if (!found) throw errors.notFound();
  return { source: found.source };
}

/** Saves an earlier version again, without publishing it. Throws NOT_FOUND, CONFLICT. */
export async function restoreVersion(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  { version, from }: { readonly version: number; readonly from: number },
): Promise<ContentEntry> {
  return db.transaction(async (trx) => {
    const row = await lockedAt(trx, key, version);
    const found = await versionRow(trx, row.id, from);
    if (!found) throw errors.notFound();
    if (found.source === row.source) return present(row);
    return present(await store(trx, row, { source: found.source, event: 'restored', actor, now: clock.now() }));
  });
}

/** Saves the newer file in place of the text, or forgets it. Throws NOT_FOUND, and CONFLICT when there is none. */
export async function answerNewerFile(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  { version, use }: { readonly version: number; readonly use: boolean },
): Promise<ContentEntry> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    const row = await lockedAt(trx, key, version, { deleted: true });
    const { newer_file: source } = row;
    if (source === null) throw errors.conflict(texts.noNewerFile);
    const answered = await updateEntry(trx, row, { newer_file: null, file_source: source });
    await audit(trx, { row, at: now, actor, action: use ? 'content.use-file' : 'content.keep-text' });
    if (!use) return present(answered);
    const revived = await updateEntry(trx, answered, { deleted_at: null });
    return present(await store(trx, revived, { source, event: 'file', actor, now }));
  });
}

/** Records that a text was reviewed. Throws NOT_FOUND, CONFLICT. */
export async function reviewEntry(
  { db, clock }: ContentContext,
  actor: string,
  key: EntryKey,
  version: number,
): Promise<ContentEntry> {
  return db.transaction(async (trx) => {
    const row = await lockedAt(trx, key, version);
    const now = clock.now();
    await audit(trx, { row, at: now, actor, action: 'content.review', after: { version } });
    return present(await updateEntry(trx, row, { reviewed_at: now, reviewed_by: actor }));
  });
}

async function lockedAt(
  trx: Database,
  key: EntryKey,
  version: number,
  { deleted = false }: { readonly deleted?: boolean } = {},
): Promise<EntryRow> {
  const found = await lockEntry(trx, key);
  const row = found && deleted ? found : existing(found);
  if (row.version !== version) throw errors.conflict(texts.savedMeanwhile(row.updated_by, iso(row.updated_at)));
  return row;
}

interface NewText {
  readonly source: string;
  readonly name?: string;
  readonly event: 'saved' | 'restored' | 'file';
  readonly actor: string;
  readonly now: number;
}

/** Stores a new text of an entry with its history and audit entry. */
async function store(trx: Database, row: EntryRow, text: NewText): Promise<EntryRow> {
  const { source, name = row.name, event, actor, now } = text;
  const changes = { source, name, version: row.version + 1, updated_at: now, updated_by: actor };
  const stored = await updateEntry(trx, row, changes);
  const [newest] = await versionRows(trx, row.id, 1);
  const isSame =
    event === 'saved' &&
    newest !== undefined &&
    (newest.event === 'saved' || newest.event === 'created') &&
    newest.actor === actor &&
    newest.published_at === null &&
    newest.version !== row.publish_version &&
    now - newest.created_at < sameVersionMs;
  if (isSame) await replaceVersion(trx, newest.id, stored);
  else await insertVersion(trx, stored, { event, actor, created_at: now });
  const isMoved = name !== row.name;
  if (!isSame || isMoved)
    await audit(trx, {
      ...{ row: stored, at: now, actor, action: event === 'restored' ? 'content.restore' : 'content.save' },
      before: { version: row.version, ...(isMoved && { name: row.name }) },
      after: { version: stored.version, ...(isMoved && { name }) },
    });
  return stored;
}

function audit(
  trx: Database,
  entry: { row: EntryRow; at: number; actor: string; action: AuditedEventType; before?: unknown; after?: unknown },
): Promise<void> {
  const { row, action, ...rest } = entry;
  return record(trx, { ...rest, type: action, subject: { kind: 'content', id: `${row.folder}/${row.name}` } });
}

/** Two operators may choose the same name at once. */
async function whileNameIsFree<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw isUniqueViolation(error) ? errors.conflict(texts.nameJustTaken) : error;
  });
}

function assertName(name: string): void {
  const problem = slugProblem(name);
  if (problem !== null) throw errors.validationFailed([{ field: 'name', message: problem }]);
}

/** Whether nobody outside can know the address of an entry. */
const canRename = ({ folder, live, withdrawn_at, file_source, publish_at }: EntryRow) =>
  folder === 'blog' && live === null && withdrawn_at === null && file_source === null && publish_at === null;

function stateOf({ live, publish_at, withdrawn_at }: EntryRow): ContentState {
  if (live !== null) return 'published';
  if (publish_at !== null) return 'scheduled';
  return withdrawn_at === null ? 'draft' : 'unpublished';
}

function summaryOf(row: EntryRow): ContentSummary {
  const { folder, name, live, source, newer_file } = row;
  const isDeleted = row.deleted_at !== null;
  const { title = name } = readDraft(isDeleted ? (newer_file ?? '') : source).head;
  return {
    ...{ folder, name, title },
    state: stateOf(row),
    isChanged: live !== null && live !== source,
    publishAt: isoOrNull(row.publish_at),
    updatedAt: iso(row.updated_at),
    updatedBy: row.updated_by,
    reviewedAt: isoOrNull(row.reviewed_at),
    reviewedBy: row.reviewed_by,
    hasNewerFile: newer_file !== null,
    isDeleted,
  };
}

function present(row: EntryRow): ContentEntry {
  return {
    ...summaryOf(row),
    ...readDraft(row.source),
    version: row.version,
    source: row.source,
    canRename: canRename(row),
    published: row.live,
    newerFile: row.newer_file,
  };
}

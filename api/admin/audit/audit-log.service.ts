import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { auditActions } from './audit.contract.ts';
import { sharedActs } from '#api/events/events.ts';
import type { AuditAction, AuditFilters, AuditLog, AuditRecord } from './audit.contract.ts';
import * as limits from '#contract/limits.ts';
import { byName } from '#domain/by-name.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { auditActionTexts } from '#texts/audit.ts';
import { subjectsOf } from './audit-subjects.service.ts';
import type { ContentTitles } from './audit-subjects.service.ts';

/** Entries read at once for an export. */
const exportBatch = 1_000;

/** An event with an actor. */
interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly actor_id: string | null;
  readonly type: string;
  readonly subject_kind: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

const present = (row: AuditRow): AuditRecord => ({
  id: row.id,
  at: iso(row.at),
  actor: row.actor,
  actorId: row.actor_id,
  action: actionOf(row.type),
  kind: row.subject_kind,
  subject: row.subject,
  before: parsed(row.before),
  after: parsed(row.after),
});

/** What the audit log calls an event. */
const actionOf = (type: string) => Object.entries(sharedActs).find(([, name]) => name === type)?.[0] ?? type;

/** The event that is an action. */
const typeOf = (action: AuditAction): string => (sharedActs as Partial<Record<AuditAction, string>>)[action] ?? action;

/** The types of the actions whose names or texts contain a word. */
const typesWith = (word: string) =>
  auditActions
    .filter((action) => `${action} ${auditActionTexts[action]}`.toLowerCase().includes(word.toLowerCase()))
    .map(typeOf);

/**
 * The entries that match; each word of the search is somewhere in an entry or in the text of its action. SQLite ignores the case of ASCII letters only, so
 * words with other letters are found as they are typed, and in lower case.
 */
function matching(db: Database, { search = '', actor, action, from, to }: AuditFilters) {
  const entries = db('events').whereNotNull('actor');
  if (actor !== undefined) void entries.where({ actor });
  if (action !== undefined) void entries.where('type', typeOf(action));
  if (from !== undefined) void entries.where('at', '>=', Date.parse(from));
  if (to !== undefined) void entries.where('at', '<', Date.parse(to));
  for (const word of search.split(/\s+/).filter(Boolean))
    void entries.where((entry) => {
      void entry.whereIn('type', typesWith(word));
      for (const column of ['actor', 'subject', 'before', 'after']) {
        const stored = column === 'before' || column === 'after' ? JSON.stringify(word).slice(1, -1) : word;
        const pattern = `%${stored.replace(/[!%_]/g, '!$&')}%`;
        void entry
          .orWhereRaw("?? like ? escape '!'", [column, pattern])
          .orWhereRaw("lower(??) like ? escape '!'", [column, pattern.toLowerCase()]);
      }
    });
  return entries;
}

/** One page of the audit log, newest first; the first page without filters also with the names of everyone in the log. */
export async function auditPage(
  db: Database,
  { page = 1, ...query }: AuditFilters & { readonly page?: number },
  titles: ContentTitles,
): Promise<AuditLog> {
  const rows = await matching(db, query)
    .orderBy('id', 'desc')
    .offset((page - 1) * limits.auditPageSize)
    .limit(limits.auditPageSize)
    .select<AuditRow[]>();
  const total = await matching(db, query).count<{ total: number | string }[]>({ total: '*' });
  const entries = rows.map(present);
  const subjects = await subjectsOf(db, entries, titles);
  const log = {
    entries: entries.map((entry, place) => ({ ...entry, ...subjects[place]! })),
    total: Number(total[0]?.total ?? 0),
  };
  if (page > 1 || Object.keys(query).length > 0) return log;
  const actors = await db('events').whereNotNull('actor').distinct('actor').pluck<string[]>('actor');
  return { ...log, actors: actors.sort(byName) };
}

/** All entries that match, newest first, as a file that is read while it is sent. */
export function auditExport(db: Database, format: 'csv' | 'json', query: AuditFilters): Readable {
  if (format === 'json') return Readable.from(asJson(allEntries(db, query)));
  const columns = ['id', 'at', 'actor', 'actorId', 'action', 'kind', 'subject', 'before', 'after'];
  // The byte order mark tells spreadsheets that the text is UTF-8; cells they would run as formulas get an apostrophe.
  const csv = stringify({ header: true, columns, bom: true, record_delimiter: '\r\n', escape_formulas: true });
  // An error is the reader’s, of the returned stream.
  return pipeline(Readable.from(asCells(allEntries(db, query))), csv, () => undefined);
}

async function* allEntries(db: Database, query: AuditFilters): AsyncGenerator<AuditRecord> {
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows: AuditRow[] = await matching(db, query)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(exportBatch)
      .select<AuditRow[]>();
    yield* rows.map(present);
    if (rows.length < exportBatch) return;
    before = rows.at(-1)!.id;
  }
}

async function* asJson(entries: AsyncIterable<AuditRecord>): AsyncGenerator<string> {
  let separator = '[';
  for await (const entry of entries) {
    yield `${separator}\n${JSON.stringify(entry)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

async function* asCells(entries: AsyncIterable<AuditRecord>): AsyncGenerator<object> {
  const cell = (value: unknown) => (value === null ? '' : JSON.stringify(value));
  for await (const entry of entries) yield { ...entry, before: cell(entry.before), after: cell(entry.after) };
}

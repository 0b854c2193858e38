import { displayNameOf, isSuspended } from '#api/members/accounts/user.model.ts';
import type { UserModel } from '#api/members/accounts/user.model.ts';
import type { QueryOf, ResponseOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ModerationEntry, Reported } from './moderation.contract.ts';
import { reportedKinds } from '#contract/vocabulary.ts';
import type { ReportCategory, ReportedKind } from '#contract/vocabulary.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { ModerationContext } from './actions.service.ts';
import { presentAction } from './decisions.service.ts';
import { authorsOf, countContent, findSubject, membersFrom, networksOf } from './subjects.queries.ts';

/** Reasons that an entry of the queue lists. */
const reasonsListed = 20;

interface ReportedRow {
  readonly kind: ReportedKind;
  readonly subject: string;
  readonly reported_at: number;
}

/** Words of the partial indexes for open and for handled reports. */
const states = { open: 'is null', handled: 'is not null' } as const;
type ReportState = keyof typeof states;

/** The newest report of each thing that was reported; read from an index as far as the limit. */
function newestReports(db: Database, state: ReportState) {
  const later = db('reports as later')
    .whereRaw(`later.handled_at ${states[state]}`)
    .whereRaw('later.kind = report.kind and later.subject = report.subject and later.id > report.id')
    .select(db.raw('1'));
  return db('reports as report').whereRaw(`report.handled_at ${states[state]}`).whereNotExists(later);
}

/** What was reported, with its newest report; newest first. */
async function reportedPage(db: Database, state: ReportState, page: number): Promise<ReportedRow[]> {
  return newestReports(db, state)
    .orderBy([
      { column: 'report.created_at', order: 'desc' },
      { column: 'report.id', order: 'desc' },
    ])
    .limit(limits.moderationPageSize)
    .offset((page - 1) * limits.moderationPageSize)
    .select('kind', 'subject', 'created_at as reported_at');
}

/** The reports of these things; no index begins with the subject. */
const reportsOf = (db: Database, rows: readonly ReportedRow[]) =>
  db('reports')
    .whereIn('kind', [...reportedKinds])
    .whereIn(
      'subject',
      rows.map(({ subject }) => subject),
    );

/** How many reports there are, by kind and subject. */
async function countsOf(
  db: Database,
  rows: readonly ReportedRow[],
  state: ReportState,
): Promise<ReadonlyMap<string, number>> {
  const counts = await reportsOf(db, rows)
    .whereRaw(`handled_at ${states[state]}`)
    .groupBy('kind', 'subject')
    .count({ reports: '*' })
    .select('kind', 'subject');
  return new Map(counts.map(({ kind, subject, reports }) => [`${kind} ${subject}`, Number(reports)]));
}

/** One page of what was reported, newest report first, and the first undecided appeals. */
export async function reportQueue(
  { db, clock }: ModerationContext,
  { state = 'open', page = 1 }: QueryOf<'reportQueue'>,
): Promise<ResponseOf<'reportQueue'>> {
  const rows = await reportedPage(db, state, page);
  const reported = newestReports(db, state)
    .limit(limits.reportsShown + 1)
    .select('report.id');
  const { total } = await db.from(reported.as('reported')).count({ total: '*' }).first<{ total: number | string }>();
  const counts = await countsOf(db, rows, state);
  const facts = await factsOf(db, rows, clock.now());
  const reasons = await reasonsOf(db, rows);
  const entries = rows.flatMap(({ kind, subject, reported_at }) => {
    const key = `${kind} ${subject}`;
    const about = facts.get(key);
    if (about === undefined) return [];
    return {
      ...about,
      ...{ kind, id: subject, reports: counts.get(key) ?? 1, reportedAt: iso(reported_at) },
      reasons: reasons.get(key) ?? [],
    };
  });
  return { reported: entries, total: Number(total), appeals: await openAppeals(db) };
}

type Facts = Omit<Reported, 'kind' | 'id' | 'reports' | 'reportedAt' | 'reasons'>;

interface FactRow extends Pick<
  UserModel,
  'username' | 'first_name' | 'last_name' | 'suspended_at' | 'suspended_until'
> {
  readonly id: string;
  readonly poll_id: string | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly hidden: boolean | 0 | 1 | null;
  readonly member_id: string | null;
}

const memberColumns = [
  ...['u.id as member_id', 'u.username', 'u.first_name', 'u.last_name'],
  ...['u.suspended_at', 'u.suspended_until'],
];

/** What reported things are, by kind and id. */
async function factsOf(db: Database, rows: readonly ReportedRow[], now: number): Promise<Map<string, Facts>> {
  const ids = (wanted: ReportedKind) => rows.filter(({ kind }) => kind === wanted).map(({ subject }) => subject);
  const found: Record<ReportedKind, FactRow[]> = {
    comment: await db('comments as c')
      .join('community_polls as p', 'p.id', 'c.poll_id')
      .join('users as u', 'u.id', 'c.user_id')
      .whereIn('c.id', ids('comment'))
      .select('c.id', 'p.id as poll_id', 'p.question as title', 'c.content as text', 'c.hidden', ...memberColumns),
    poll: await db('community_polls as p')
      .leftJoin('users as u', 'u.id', 'p.created_by')
      .whereIn('p.id', ids('poll'))
      .select(
        ...['p.id', 'p.id as poll_id', 'p.question as title', 'p.description as text', ...memberColumns],
        db.raw('p.taken_down_by is not null as hidden'),
      ),
    member: await db('users as u')
      .whereIn('u.id', ids('member'))
      .select('u.id', ...memberColumns),
  };
  return new Map(
    Object.entries(found).flatMap(([kind, all]) =>
      all.map((row): [string, Facts] => {
        const suspended = row.member_id !== null && isSuspended(row, now);
        const member =
          row.member_id === null
            ? null
            : {
                ...{ id: row.member_id, username: row.username, suspended },
                suspendedUntil: suspended ? isoOrNull(row.suspended_until) : null,
              };
        return [
          `${kind} ${row.id}`,
          {
            ...{ pollId: row.poll_id ?? null, title: row.title ?? displayNameOf(row), text: row.text ?? '', member },
            hidden: kind === 'member' ? suspended : Boolean(row.hidden),
          },
        ];
      }),
    ),
  );
}

async function reasonsOf(db: Database, rows: readonly ReportedRow[]): Promise<Map<string, Reported['reasons']>> {
  const ranked = reportsOf(db, rows)
    .select('kind', 'subject', 'category', 'reason', 'user_id', 'email')
    .rowNumber('place', (order) => void order.partitionBy(['kind', 'subject']).orderBy('id', 'desc'));
  const found = await db
    .from(ranked.as('ranked'))
    .where('place', '<=', reasonsListed)
    .orderBy('place')
    .select<ReasonRow[]>('kind', 'subject', 'category', 'reason', 'user_id', 'email');
  const bySubject = Map.groupBy(found, ({ kind, subject }) => `${kind} ${subject}`);
  return new Map([...bySubject].map(([key, all]) => [key, all.map(presentReason)]));
}

interface ReasonRow {
  readonly kind: ReportedKind;
  readonly subject: string;
  readonly category: ReportCategory;
  readonly reason: string | null;
  readonly user_id: string | null;
  readonly email: string | null;
}

function presentReason({ category, reason, user_id, email }: ReasonRow): Reported['reasons'][number] {
  return { category, reason, ...(user_id === null && { anonymous: true }), ...(email !== null && { email }) };
}

async function openAppeals(db: Database): Promise<ModerationEntry[]> {
  const rows = await db('moderation_actions')
    .whereNotNull('appealed_at')
    .whereNull('decided_at')
    .orderBy('appealed_at')
    .limit(limits.moderationPageSize)
    .select('*');
  return presentEntries(db, rows);
}

/** One page of the audit log, newest first. */
export async function moderationLog({ db }: ModerationContext, page: number): Promise<ResponseOf<'moderationLog'>> {
  const rows = await db('moderation_actions')
    .orderBy('id', 'desc')
    .limit(limits.moderationPageSize)
    .offset((page - 1) * limits.moderationPageSize)
    .select('*');
  const { total } = await db('moderation_actions').count({ total: '*' }).first<{ total: number | string }>();
  return { entries: await presentEntries(db, rows), total: Number(total) };
}

async function presentEntries(db: Database, rows: readonly Row<'moderation_actions'>[]): Promise<ModerationEntry[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.flatMap(({ member_id }) => member_id ?? []))];
  const members = await db('users').whereIn('id', ids).select('id', 'username');
  const names = new Map(members.map(({ id, username }) => [id, username]));
  return rows.map((row) => ({
    ...presentAction(row),
    ...{ actor: row.actor, subject: row.subject, member: names.get(row.member_id ?? '') ?? null },
  }));
}

/** How much that is still shown was created by the same member, and from the same networks. Throws NOT_FOUND. */
export async function moderationScope(
  { db }: ModerationContext,
  { kind, id }: { readonly kind: ReportedKind; readonly id: string },
): Promise<ResponseOf<'moderationScope'>> {
  if (!(await findSubject(db, { kind, id }))) throw errors.notFound();
  const members = await authorsOf(db, kind, [id]);
  const networks = await networksOf(db, kind, [id]);
  return {
    member: { members: members.length, ...(await countContent(db, { members })) },
    network:
      networks.length === 0
        ? null
        : { members: (await membersFrom(db, networks)).length, ...(await countContent(db, { networks })) },
  };
}

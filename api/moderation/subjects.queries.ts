import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';
import { cutText } from '#domain/poll-results.ts';
import type { Database, Query } from '#platform/database.ts';

/** Characters of a text that the audit log keeps. */
const labelLength = 120;
/** Code points of a label, which the column counts; one character can have several. */
const labelCodePoints = 200;
/** Comments, polls, or members that one request finds in addition to those that it names. */
export const foundAtOnce = 500;

/** A comment, community poll, or member. */
export interface Target {
  readonly kind: ReportedKind;
  readonly id: string;
}

/** What a decision needs to know of its target. */
export interface Subject extends Target {
  readonly label: string;
  /** The member or the author; null: a former member. */
  readonly memberId: string | null;
  /** The poll, or the one the comment is on; null for a member. */
  readonly pollId: string | null;
}

interface SubjectRow {
  readonly text: string;
  readonly member_id: string | null;
  /** Not of a member. */
  readonly poll_id?: string;
}

/** The target of a decision; undefined when it doesn't exist. */
export async function findSubject(db: Database, { kind, id }: Target): Promise<Subject | undefined> {
  const found: Query = subjectQueries[kind](db);
  const row = await found.where({ id }).first<SubjectRow | undefined>();
  if (!row) return undefined;
  const { text, member_id: memberId, poll_id: pollId = null } = row;
  const cut = cutText(text.replace(/\s+/g, ' '), labelLength);
  const label = Array.from(cut).slice(0, labelCodePoints).join('');
  return { kind, id, label, memberId, pollId };
}

const subjectQueries = {
  comment: (db: Database) => db('comments').select('content as text', 'user_id as member_id', 'poll_id'),
  poll: (db: Database) => db('community_polls').select('question as text', 'created_by as member_id', 'id as poll_id'),
  member: (db: Database) => db('users').select('username as text', 'id as member_id'),
} as const satisfies Record<ReportedKind, (db: Database) => unknown>;

/** Ids of the members who created these comments or polls, or of the members themselves. */
export async function authorsOf(db: Database, kind: ReportedKind, ids: readonly string[]): Promise<string[]> {
  if (kind === 'member') return [...ids];
  const [table, column] = kind === 'comment' ? ['comments', 'user_id'] : ['community_polls', 'created_by'];
  return db(table)
    .whereIn('id', [...ids])
    .whereNotNull(column)
    .distinct(column)
    .orderBy(column)
    .pluck<string[]>(column);
}

/** Digests of the networks that these were created from; of members, all that are kept. */
export async function networksOf(db: Database, kind: ReportedKind, ids: readonly string[]): Promise<number[]> {
  const origins = db('content_origins').distinct('network');
  if (kind === 'member') void origins.whereIn('user_id', [...ids]);
  else void origins.where({ kind }).whereIn('subject', [...ids]);
  return origins.pluck('network');
}

/** Polls and comments of members, or from networks. */
interface Creators {
  readonly members?: readonly string[];
  readonly networks?: readonly number[];
}

/**
 * Polls and comments that an action would change: those that are shown, or with `show` those that moderators hid. At most
 * `foundAtOnce` of each, oldest first.
 */
export async function contentOf(db: Database, creators: Creators, action: ModerationAction): Promise<Target[]> {
  const ids = (kind: 'poll' | 'comment') =>
    contentQuery(db, kind, creators, action).orderBy(['created_at', 'id']).limit(foundAtOnce).pluck('id');
  const polls = (await ids('poll')).map((id) => ({ kind: 'poll', id }) as const);
  // Comments can't be closed.
  const comments = action === 'close' ? [] : (await ids('comment')).map((id) => ({ kind: 'comment', id }) as const);
  return [...polls, ...comments];
}

/** How many polls and comments are shown. */
export async function countContent(db: Database, creators: Creators): Promise<{ polls: number; comments: number }> {
  const count = async (kind: 'poll' | 'comment') => {
    const { count } = await contentQuery(db, kind, creators, 'hide')
      .count({ count: '*' })
      .first<{ count: number | string }>();
    return Number(count);
  };
  return { polls: await count('poll'), comments: await count('comment') };
}

function contentQuery(
  db: Database,
  kind: 'poll' | 'comment',
  { members, networks }: Creators,
  action: ModerationAction,
) {
  const [table, member] =
    kind === 'poll' ? (['community_polls', 'created_by'] as const) : (['comments', 'user_id'] as const);
  const found = db(table);
  if (members !== undefined) void found.whereIn(member, [...members]);
  if (networks !== undefined)
    void found.whereIn(
      'id',
      db('content_origins')
        .where({ kind })
        .whereIn('network', [...networks])
        .select('subject'),
    );
  if (action === 'close') void found.whereIn('id', db('ballots').whereNull('closed_at').select('id'));
  if (action === 'delete') return found;
  if (kind === 'poll')
    return action === 'show' ? found.where('taken_down_by', 'moderator') : found.whereNull('taken_down_by');
  return action === 'show'
    ? found.where({ hidden: true, hidden_by: 'operator', hidden_by_suspension: false })
    : found.where('hidden', false);
}

/** Ids of the members who created something from these networks. */
export async function membersFrom(db: Database, networks: readonly number[]): Promise<string[]> {
  return db('content_origins')
    .whereIn('network', [...networks])
    .distinct('user_id')
    .orderBy('user_id')
    .limit(foundAtOnce)
    .pluck('user_id');
}

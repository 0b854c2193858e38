import { CommunityPollModel } from '#api/polls/community/community-poll.model.ts';
import { BallotModel, BallotOptionModel } from '#api/voting/ballot.model.ts';
import type { CircumstanceColumn } from '#domain/integrity/vote-traits.ts';
import type { ExportSource, ExportState } from './exports.contract.ts';
import type { Database } from '#platform/database.ts';

/** Polls that are read at once. */
const batchPolls = 200;

export interface ExportFilter {
  readonly source: ExportSource;
  readonly state: ExportState;
  /** Only this poll. */
  readonly poll?: string;
}

/** The polls that may be exported: of community polls the public ones, without those that were taken down. */
export function exportablePolls(db: Database, source: ExportSource) {
  return source === 'weekly'
    ? db('ballots').where({ kind: 'poll' })
    : db('ballots').whereIn('id', db('community_polls').where({ visibility: 'public' }).select('id'));
}

/** The ids of the polls that match, in batches and in their order; polls may change between two batches. */
export async function* matchingPolls(
  db: Database,
  { source, state, poll }: ExportFilter,
  now: number,
): AsyncGenerator<string[]> {
  for (let last = ''; ;) {
    const query = exportablePolls(db, source).where('id', '>', last);
    if (poll !== undefined) void query.where({ id: poll });
    if (state === 'closed') void query.where((one) => void one.whereNotNull('closed_at').orWhere('ends_at', '<=', now));
    else if (state !== 'all')
      void query
        .whereNull('closed_at')
        // Community polls may have no end.
        .where((one) => void one.whereNull('ends_at').orWhere('ends_at', '>', now))
        .where('starts_at', state === 'open' ? '<=' : '>', now);
    const ids = await query.orderBy('id').limit(batchPolls).pluck('id');
    if (ids.length > 0) yield ids;
    if (ids.length < batchPolls) return;
    last = ids.at(-1)!;
  }
}

/** Those of these community polls that are public, by id. */
export async function publicCommunityPolls(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CommunityPollModel>> {
  const polls = await CommunityPollModel.query(db)
    .findByIds([...ids])
    .where({ visibility: 'public' });
  return new Map(polls.map((poll) => [poll.id, poll]));
}

/** What votes on these polls choose, how many are counted, and how many are not, by id. */
export async function countedBallots(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, BallotModel>> {
  const rows = await BallotModel.query(db).findByIds([...ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The independent votes of those of these polls that were flagged: by poll, and by option. */
export async function independentVotes(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const rows = await db('independent_votes as i')
    .join('ballots as b', 'b.key', 'i.ballot_key')
    .whereIn('b.id', [...ids])
    .select<{ id: string; votes: string }[]>('b.id', 'i.votes');
  return new Map(rows.map(({ id, votes }) => [id, JSON.parse(votes) as Record<string, number>]));
}

/** The votes of these polls that are counted apart, by poll, option, and column. */
export async function votesApart(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Readonly<Record<CircumstanceColumn, number>>>>> {
  const rows = await BallotOptionModel.query(db).whereIn('ballot_id', [...ids]);
  return new Map(
    [...Map.groupBy(rows, ({ ballot_id: id }) => id)].map(([id, options]) => [
      id,
      new Map(options.map((option) => [option.option_id, option])),
    ]),
  );
}

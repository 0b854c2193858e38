import { addTotals } from './statistics.service.ts';
import { idList } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { VotingIntake } from './group-commit.ts';
import { lockBallots } from './ballots.service.ts';
import { clearNextMarks } from './decision-marks.service.ts';
import { voteErasure } from './erasure.service.ts';
import { nextRange, votesWithin } from './vote-ranges.queries.ts';
import { isCounted, isSetAside, newestVoteId } from './voting.service.ts';

/** Votes that one transaction deletes: votes on other ballots wait that long. */
export const deletedAtOnce = 250;
/** Milliseconds between two batches. */
const betweenBatchesMs = 5;
const deletionFailed =
  'could not delete the votes of a deleted poll, count votes again, or erase those of an ended poll; retrying';

/**
 * Deletes a ballot and keeps every headline figure exact: its votes and the poll itself are subtracted, its voters remain
 * participants. Votes in flight wait for the end of the transaction and find no ballot; the rows of its votes are deleted
 * in the background. The transaction must not have read anything yet; false when the ballot doesn't exist. `beforeDelete`
 * runs once the ballot's votes can't change anymore. The archive's counters are not updated here.
 */
export async function deleteBallot(trx: Database, id: string, beforeDelete?: () => Promise<void>): Promise<boolean> {
  await lockBallots(trx, [id]);
  // A write, not a read: on SQLite it takes the write lock.
  const [ballot] = await trx('ballots')
    .where({ id })
    .update({ is_active: false })
    .returning<DeletedBallot[]>(['key', 'total_votes', 'base_votes', 'set_aside_votes', 'listed', 'in_totals']);
  if (!ballot) return false;
  if (ballot.set_aside_votes > 0) await keepSetAside(trx, id, ballot.key);
  await beforeDelete?.();
  if (ballot.total_votes + ballot.set_aside_votes > ballot.base_votes)
    await trx('ballot_deletions').insert({ ballot_key: ballot.key, done_id: 0, last_id: await newestVoteId(trx) });
  await trx('ballots').where({ id }).del();
  if (ballot.listed && ballot.in_totals)
    await addTotals(trx, {
      total_votes: -ballot.total_votes,
      set_aside_votes: -ballot.set_aside_votes,
      imported_votes: -ballot.base_votes,
      total_polls: -1,
    });
  return true;
}

/** Votes that are set aside don’t count for badges either once nobody can look up that they are. */
async function keepSetAside(trx: Database, id: string, ballotKey: number): Promise<void> {
  const decisions = await trx('vote_decisions').where({ ballot_key: ballotKey }).select('first_id', 'last_id');
  const voters: string[] = [];
  for (const { first_id, last_id } of decisions)
    voters.push(
      ...(await votesWithin(trx, { after: first_id - 1, through: last_id })
        .where({ ballot_key: ballotKey })
        .whereNotNull('user_id')
        .whereRaw(isSetAside('votes'))
        .pluck<string[]>('user_id')),
    );
  // Deleting an account locks it before its events.
  const isVoter = (column: string) => trx.raw(`${column} in ${idList(trx)}`, [JSON.stringify(voters)]);
  await trx('users').whereRaw(isVoter('id')).orderBy('id').forKeyShare().select('id');
  await trx('events')
    .where({ type: 'vote.cast', subject: id })
    .whereRaw(isVoter('member_id'))
    .update({ after: trx.raw(`substr(after, 1, length(after) - 1) || ',"setAside":true}'`) });
}

interface DeletedBallot {
  readonly key: number;
  readonly total_votes: number;
  readonly base_votes: number;
  readonly set_aside_votes: number;
  readonly listed: boolean | 0 | 1;
  readonly in_totals: boolean | 0 | 1;
}

/** A row of `ballot_deletions`. */
interface Deletion {
  readonly ballot_key: number;
  readonly done_id: number;
  readonly last_id: number;
}

/**
 * Deletes the votes of one deleted ballot up to the next position; false when no ballot is left. Interrupted anywhere, the
 * next call continues; several processes may call it.
 */
export async function deleteNextVotes(db: Database, intake: Pick<VotingIntake, 'runExclusive'>): Promise<boolean> {
  const deletion = await db('ballot_deletions').orderBy('ballot_key').first<Deletion | undefined>();
  if (!deletion) return false;
  const { ballot_key, done_id, last_id } = deletion;
  if (done_id >= last_id) {
    // With its positions: another process may have done this, and the key may belong to another ballot by now.
    await intake.runExclusive(() => db('ballot_deletions').where({ ballot_key, done_id, last_id }).del());
    return true;
  }
  const { through: position, isEmpty } = await nextRange({ after: done_id, through: last_id }, deletedAtOnce, (ids) =>
    votesWithin(db, ids).where({ ballot_key }),
  );
  await intake.runExclusive(() =>
    db.transaction(async (trx) => {
      // Another process may have been faster.
      const advanced = await trx('ballot_deletions').where({ ballot_key, done_id }).update({ done_id: position });
      if (advanced === 0 || isEmpty) return;
      const range = [ballot_key, done_id, position];
      await preserveVoters(trx, range);
      if (isSqlite(trx)) await keepGivenIds(trx);
      await trx.raw(`delete from votes where ${inRange('votes')}`, range);
    }),
  );
  return true;
}

/** SQLite would give the ids of the newest votes again, after they are deleted. */
async function keepGivenIds(trx: Database): Promise<void> {
  await trx.raw(
    `insert into sqlite_sequence (name, seq) select 'votes', 0
     where not exists (select 1 from sqlite_sequence where name = 'votes')`,
  );
  await trx.raw("update sqlite_sequence set seq = max(seq, (select max(id) from votes)) where name = 'votes'");
}

const inRange = (votes: string) => `${votes}.ballot_key = ? and ${votes}.id > ? and ${votes}.id <= ?`;

/**
 * Preserves the voters of votes that are about to be deleted in `voters`, with whether the vote made them participants
 * (handbook decision 052). A voter whom an earlier vote on another ballot identifies is left to that vote.
 */
async function preserveVoters(trx: Database, range: readonly number[]): Promise<void> {
  await trx.raw(
    `insert into voters (digest, counted)
     select gone.digest, gone.counted from (
       select v.device as digest,
         case when ${isCounted('v')} and not exists (select 1 from votes w where w.cookie = v.cookie and w.id < v.id)
           and not exists (select 1 from voters k where k.digest in (v.device, v.cookie))
         then 1 else 0 end as counted
       from votes v
       where ${inRange('v')}
         and not exists (select 1 from votes w where w.device = v.device and w.id < v.id)
       union all
       select v.cookie, 0
       from votes v
       where ${inRange('v')} and v.cookie is not null
         and not exists (select 1 from votes w where w.cookie = v.cookie and w.id < v.id)
     ) gone
     where true order by gone.digest
     on conflict do nothing`,
    [...range, ...range],
  );
}

/**
 * Returns the task that deletes the votes of deleted ballots, clears marks of decisions that don’t count anymore, and erases
 * what is no longer kept: a batch of each. It returns the milliseconds until the next batch if there is more to do.
 */
export function deletionTask(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
  readonly log: Logger;
}): () => Promise<number | undefined> {
  const { db, clock, intake, log } = options;
  const eraseNext = voteErasure({ db, clock, intake });
  const attempt = (step: () => Promise<boolean>) =>
    step().catch((error: unknown) => {
      log.error({ err: error }, deletionFailed);
      return false;
    });
  // In turn: neither a large deletion nor a failing one keeps marks from being cleared.
  return async () => {
    const deleted = await attempt(() => deleteNextVotes(db, intake));
    const cleared = await attempt(() => clearNextMarks({ db, clock, intake }));
    return deleted || cleared || (await attempt(eraseNext)) ? betweenBatchesMs : undefined;
  };
}

import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { recordedVotes } from './voting.service.ts';
import type { Voter } from './voting.service.ts';

/** One vote on its way in. */
export interface Vote {
  readonly ballotId: string;
  readonly kind: 'poll' | 'community';
  readonly optionId: string;
  readonly voter: Voter & { readonly fingerprint: string; readonly cookie: string };
}

/** What became of a vote. Counts are those after the commit that carried it. */
export type VoteOutcome =
  | { readonly status: 'recorded' | 'already-voted'; readonly userVote: string; readonly tally: Tally }
  | { readonly status: 'not-found' | 'invalid-option' | 'closed' | 'not-started' | 'overloaded' };

/** A ballot's counters at one moment. */
export interface Tally {
  readonly totalVotes: number;
  readonly options: readonly { readonly id: string; readonly votes: number }[];
}

export interface VotingIntake {
  cast(vote: Vote): Promise<VoteOutcome>;
  /** Resolves when every vote that was handed in is committed or refused. */
  drain(): Promise<void>;
}

export interface IntakeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

interface BallotRow {
  readonly kind: string;
  readonly is_active: boolean | 0 | 1;
  readonly listed: boolean | 0 | 1;
  readonly starts_at: number;
  readonly ends_at: number | null;
  readonly closed_at: number | null;
}

/** Takes votes in, one transaction for each. */
export function createVotingIntake({ db, clock }: IntakeOptions): VotingIntake {
  const waiting = new Set<Promise<VoteOutcome>>();
  return {
    cast(vote) {
      const outcome = db.transaction((trx) => castOne(trx, vote, clock.now()));
      waiting.add(outcome);
      const done = () => waiting.delete(outcome);
      outcome.then(done, done);
      return outcome;
    },
    async drain() {
      await Promise.allSettled(waiting);
    },
  };
}

async function castOne(trx: Database, vote: Vote, now: number): Promise<VoteOutcome> {
  const { ballotId, optionId, voter } = vote;
  const ballot = await trx('ballots').where({ id: ballotId }).forUpdate().first<BallotRow | undefined>();
  if (!ballot || ballot.kind !== vote.kind) return { status: 'not-found' };
  const earlier = (await recordedVotes(trx, voter, [ballotId])).get(ballotId);
  if (earlier !== undefined) return { status: 'already-voted', userVote: earlier, tally: await tallyOf(trx, ballotId) };
  const span = {
    isActive: Boolean(ballot.is_active),
    startsAt: ballot.starts_at,
    endsAt: ballot.ends_at,
    closedAt: ballot.closed_at,
  };
  const phase = phaseOf(span, now);
  if (phase !== 'open') return { status: phase === 'closed' ? 'closed' : 'not-started' };
  const option = { ballot_id: ballotId, option_id: optionId };
  if (!(await trx('ballot_options').where(option).where('offered', true).first())) return { status: 'invalid-option' };
  await trx('votes').insert({
    ...option,
    voter_fingerprint: voter.fingerprint,
    voter_cookie: voter.cookie,
    user_id: voter.userId,
    created_at: now,
  });
  const keys = [voter.fingerprint, voter.cookie];
  const known = await trx('voters').whereIn('voter_key', keys).first<object | undefined>();
  await trx('voters')
    .insert(keys.map((voter_key) => ({ voter_key })))
    .onConflict()
    .ignore();
  await trx('ballot_options').where(option).increment('votes', 1);
  await trx('ballots').where({ id: ballotId }).increment('total_votes', 1);
  if (ballot.listed) await trx('statistics').where({ shard: 0 }).increment('total_votes', 1);
  if (!known) await trx('statistics').where({ shard: 0 }).increment('total_participants', 1);
  return { status: 'recorded', userVote: optionId, tally: await tallyOf(trx, ballotId) };
}

async function tallyOf(db: Database, ballotId: string): Promise<Tally> {
  const ballot = await db('ballots').where({ id: ballotId }).first<{ total_votes: number }>('total_votes');
  const options = await db('ballot_options')
    .where({ ballot_id: ballotId })
    .orderBy('position')
    .select<{ id: string; votes: number }[]>('option_id as id', 'votes');
  return { totalVotes: ballot.total_votes, options };
}

import { randomBytes } from 'node:crypto';
import { byCircumstance, circumstances } from '#domain/integrity/vote-traits.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { record } from '#api/events/record.service.ts';
import { BallotModel, lifespanOf } from './ballot.model.ts';
import { lockBallots } from './ballots.service.ts';
import { furtherKeys } from './choices.model.ts';
import type { Chosen } from './choices.model.ts';
import { exclusively, uncheckedReason } from './decisions.service.ts';
import type { DecisionContext } from './decisions.service.ts';
import { noPromise } from './promises.service.ts';
import type { PromisedBallot, PromiseText, Promises } from './promises.service.ts';
import { makeReceipt } from './receipts.ts';
import { addTotals } from './statistics.service.ts';
import { allBallotsLock, ballotLocks, storedTime } from './vote-batch.ts';
import { choicesText } from '#texts/choices.ts';
import { protectionRaisedText } from '#texts/errors.ts';
import { recordVotesSql } from './vote-events.queries.ts';
import type { IdentifiedVoter } from './voter.ts';
import { newestVoteId, recordedVotes } from './voting.service.ts';
import type { WrittenVote } from './voting.service.ts';

/** A vote that is recorded and not counted until somebody has reviewed it. */
export interface HeldVote extends Chosen {
  readonly ballotId: string;
  readonly voter: IdentifiedVoter;
  /** What the browser contributes to the receipt, 32 hexadecimal digits. */
  readonly nonce: string;
  readonly traits: number;
  /** Of a new hold, in milliseconds; the votes of one ballot share one while nobody has decided. */
  readonly expiresAt: number;
}

/**
 * Records a vote as held, in a transaction of its own: batches are for votes that count. It has no network, so that it is never
 * an independent vote. Returns its receipt and the promise about it; throws POLL_NOT_FOUND, POLL_NOT_STARTED, POLL_CLOSED, INVALID_OPTION,
 * VALIDATION_FAILED for a wrong number of options, and ALREADY_VOTED.
 */
export async function recordHeldVote(
  context: DecisionContext & { readonly promises: Promises },
  vote: HeldVote,
): Promise<{ receipt: string | null; promise: PromiseText }> {
  const { ballotId, optionId, further = [], voter, nonce, expiresAt } = vote;
  const chosen = [optionId, ...further];
  const { secret, log } = await recordHeld(context, vote, async (trx, { ballot, ballotKey, now }) => {
    const options = await trx('ballot_options')
      .where({ ballot_id: ballotId, offered: true })
      .whereIn('option_id', chosen)
      .select('key', 'option_id');
    if (options.length < chosen.length) throw errors.invalidOption();
    const { min_choices: min, max_choices: max } = ballot;
    if (chosen.length < min || chosen.length > max)
      throw errors.validationFailed([{ field: 'optionIds', message: choicesText({ min, max }) }]);
    const [option, ...others] = chosen.map((id) => options.find(({ option_id }) => option_id === id)!.key);
    return { option: option!, others, hold: await openHold(trx, { ballotKey, now, expiresAt }) };
  });
  const made = makeReceipt(secret, voter.device, nonce);
  if (made === null) return { receipt: null, promise: noPromise };
  const batch = await context.promises.begin([{ ballotId, secret, log }]);
  return { receipt: made.code, promise: batch.add(ballotId, { optionId, further, nonce, ...made }) };
}

/** Where a held vote goes: the keys of its options, and of the decision that holds it. */
interface Held {
  readonly option: number;
  readonly others?: readonly number[];
  readonly hold: number;
}

/**
 * Records a vote as held by what `place` finds or makes in the same transaction, in which nobody else changes the options of the
 * ballot, or decides about its votes. Throws what {@link recordHeldVote} and `place` throw, and CONFLICT once the ballot needs more
 * than the vote meets.
 */
export async function recordHeld(
  context: DecisionContext,
  vote: Pick<HeldVote, 'ballotId' | 'voter' | 'nonce' | 'traits'> &
    Partial<Pick<WrittenVote, 'network' | 'protection'>>,
  place: (trx: Database, at: { ballot: BallotModel; ballotKey: number; now: number }) => Promise<Held>,
): Promise<{ readonly secret: string | null; readonly log: PromisedBallot['log'] }> {
  const { ballotId, voter, nonce, network = null, protection = Infinity } = vote;
  const found = await context.db('ballots').where({ id: ballotId }).first('key');
  if (!found) throw errors.pollNotFound();
  return exclusively(context, found.key, async (trx, now) => {
    // Whoever reads the new votes waits for those that have got an id.
    if (!isSqlite(trx)) await trx.raw(`select pg_advisory_xact_lock_shared(${ballotLocks}, ${allBallotsLock})`);
    await lockBallots(trx, [ballotId]);
    const ballot = await BallotModel.query(trx).findById(ballotId);
    if (!ballot) throw errors.pollNotFound();
    const phase = phaseOf(lifespanOf(ballot), now);
    if (phase !== 'open') throw phase === 'closed' ? errors.pollClosed() : errors.pollNotStarted();
    const voted = await alreadyVoted(trx, ballotId, voter);
    if (voted) throw voted;
    if (protection < ballot.protection) throw errors.conflict(protectionRaisedText);
    const secret = await secretOf(trx, found.key, ballot);
    const { publishedOrder } = circumstances;
    const traits = ballot.option_order === 'fixed' ? vote.traits & ~publishedOrder.trait : vote.traits;
    const { option, others = [], hold } = await place(trx, { ballot, ballotKey: found.key, now });
    const bytes = (digest: string) => (isSqlite(trx) ? Buffer.from(digest, 'hex') : digest);
    const [added] = await trx('votes')
      .insert({
        ...(!isSqlite(trx) && { id: trx.raw("nextval('votes_id_seq')") }),
        ...{ ballot_key: found.key, option_key: option, further_options: furtherKeys(others), traits, network },
        // The vote of an account deleted in the meantime is recorded without one.
        user_id: voter.userId === null ? null : trx('users').where({ id: voter.userId }).forKeyShare().select('id'),
        ...{ device: bytes(voter.device), cookie: voter.cookie && bytes(voter.cookie), nonce: bytes(nonce) },
        ...{ created_at: storedTime(now), decision_key: hold },
      })
      .onConflict()
      .ignore()
      .returning('id');
    if (!added) throw (await alreadyVoted(trx, ballotId, voter))!;
    const own = '(select * from votes where ballot_key = ? and user_id = ?)';
    if (voter.userId !== null) await trx.raw(recordVotesSql(isSqlite(trx), own), [found.key, voter.userId]);
    await trx('ballots').where({ key: found.key }).increment({ set_aside_votes: 1, held_votes: 1 });
    await trx('ballot_options')
      .whereIn('key', ballot.method === 'several' ? others : [])
      .increment({ set_aside: 1 });
    await trx('ballot_options')
      .where({ key: option })
      .increment({
        set_aside: 1,
        ...byCircumstance(({ trait }) => ((traits & trait) === 0 ? 0 : 1)),
      });
    await trx('vote_decisions')
      .where({ key: hold })
      .update({
        votes: trx.raw('votes + 1'),
        first_id: trx.raw('case when first_id = 0 then ? else first_id end', [added.id]),
        last_id: added.id,
      });
    await record(trx, { type: 'votes.held', at: now, subject: { kind: 'poll', id: ballotId }, counts: true });
    await addTotals(trx, { set_aside_votes: ballot.listed && ballot.in_totals ? 1 : 0 });
    return { secret, log: await resultsOf(trx, found.key) };
  });
}

async function resultsOf(trx: Database, ballotKey: number): Promise<PromisedBallot['log']> {
  const log = await trx('vote_logs').where({ ballot_key: ballotKey }).first('key', 'results');
  return log ?? null;
}

/** The hold that votes of unchecked browsers join; a new one if there is none, or somebody has decided about it. */
async function openHold(
  trx: Database,
  { ballotKey, now, expiresAt }: { readonly ballotKey: number; readonly now: number; readonly expiresAt: number },
): Promise<number> {
  const open = await trx('vote_decisions')
    .where({ ballot_key: ballotKey, state: 'held', reason: uncheckedReason })
    .first('key');
  if (open) return open.key;
  const [made] = await trx('vote_decisions')
    .insert({
      ...{ ballot_key: ballotKey, action: 'hold', state: 'held', reason: uncheckedReason, votes: 0 },
      number: trx('vote_decisions').where({ ballot_key: ballotKey }).select(trx.raw('1 + coalesce(max(number), 0)')),
      ...{ cluster: '{}', note: '', made_by: 'detector', made_at: now, expires_at: expiresAt },
      ...{ first_id: 0, last_id: 0 },
    })
    .returning('key');
  return made!.key;
}

/** The secret of an open ballot, which its first vote creates. */
async function secretOf(trx: Database, ballotKey: number, ballot: BallotModel): Promise<string | null> {
  const isFirst = ballot.total_votes + ballot.set_aside_votes === ballot.base_votes;
  await trx('ballot_secrets')
    .insert({
      ballot_key: ballotKey,
      secret: randomBytes(32).toString('base64'),
      after_id: isFirst ? await newestVoteId(trx) : 0,
    })
    .onConflict()
    .ignore();
  const stored = await trx('ballot_secrets').where({ ballot_key: ballotKey }).first<{ secret: string }>('secret');
  return stored.secret;
}

/** The refusal of a voter who has voted; null for others. */
async function alreadyVoted(trx: Database, ballotId: string, voter: IdentifiedVoter): Promise<Error | null> {
  const chosen = (await recordedVotes(trx, voter, [ballotId])).get(ballotId);
  return chosen ? errors.alreadyVoted({ userVote: chosen[0], ...(chosen.length > 1 && { userVotes: chosen }) }) : null;
}

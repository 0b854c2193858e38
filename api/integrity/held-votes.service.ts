import { guardedBallots } from '#api/voting/challenge-switch.service.ts';
import type { DecisionContext } from '#api/voting/decisions.service.ts';
import { recordHeldVote } from '#api/voting/held-votes.service.ts';
import type { HeldVote } from '#api/voting/held-votes.service.ts';
import type { Promises } from '#api/voting/promises.service.ts';
import type { IdentifiedVoter } from '#api/voting/voter.ts';
import type { BallotKind } from '#api/voting/voting.service.ts';
import { voteTraits } from '#domain/integrity/vote-traits.ts';
import { rankOf } from '#domain/protection.ts';
import { errors } from '#platform/errors.ts';
import { noHoldNeededText } from '#texts/errors.ts';
import { holdDays } from './holds.service.ts';

export interface HeldVotesContext extends DecisionContext {
  readonly promises: Promises;
  readonly kinds: Readonly<Record<BallotKind['kind'], Pick<BallotKind, 'authorize'>>>;
  /** Whether this site checks browsers. */
  readonly checks: boolean;
}

/**
 * Records a vote that is not counted until somebody has reviewed it, on a ballot whose votes need a check. Returns its receipt and promise;
 * throws CONFLICT where votes need none, or something that waiting doesn’t replace, and what recording it throws.
 */
export async function holdVote(
  context: HeldVotesContext,
  vote: Pick<HeldVote, 'optionId' | 'further'> & {
    readonly pollId: string;
    readonly voter: IdentifiedVoter;
    readonly nonce: string;
    readonly hadCookie: boolean;
    readonly accountSince: number | null;
    /** Bits of the circumstances that are counted apart. */
    readonly circumstances: number;
  },
): ReturnType<typeof recordHeldVote> {
  const { db, clock, kinds, checks } = context;
  const { pollId, optionId, further, voter, nonce, hadCookie, accountSince, circumstances } = vote;
  const ballot = await db('ballots').where({ id: pollId }).first('kind');
  if (!ballot) throw errors.pollNotFound();
  await kinds[ballot.kind].authorize(pollId, voter.userId);
  const now = clock.now();
  const guard = (await guardedBallots(db)).get(pollId);
  const needsCheck = guard !== undefined && (guard.protection === rankOf('check') || guard.challengedUntil > now);
  if (!checks || !needsCheck || guard.protection > rankOf('check')) throw errors.conflict(noHoldNeededText);
  const traits = voteTraits({ accountSince, hadCookie, circumstances }, now);
  const expiresAt = now + holdDays * 86_400_000;
  return recordHeldVote(context, { ballotId: pollId, optionId, further, voter, nonce, traits, expiresAt });
}

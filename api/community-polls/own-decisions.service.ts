import { decisionsOf, endDecision } from '#api/voting/decisions.service.ts';
import type { DecisionContext, VoteDecision } from '#api/voting/decisions.service.ts';
import type { OwnDecision } from '#contract/own-decisions.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { accessTo, authorize } from './access.service.ts';
import { findCommunityPoll } from './community-polls.queries.ts';

export type { DecisionContext } from '#api/voting/decisions.service.ts';

/** Decisions about votes of the caller’s own poll, by number. Throws what {@link accessTo} throws, and FORBIDDEN. */
export async function ownDecisions(context: DecisionContext, pollId: string, userId: string): Promise<OwnDecision[]> {
  const { db } = context;
  await authorizeCreator(context, pollId, userId);
  const [poll, decisions] = [await findCommunityPoll(db, pollId), await decisionsOf(db, [pollId])];
  const texts = new Map(poll?.ballot.options.map(({ option_id, text }) => [option_id, text]));
  return decisions.map((decision) => presentDecision(decision, texts));
}

/**
 * Sets held votes of the caller’s own poll aside, or counts votes of a decision again; returns all decisions. Throws what
 * {@link ownDecisions} throws, NOT_FOUND, and CONFLICT when the decision was ended differently or the votes are final.
 */
export async function decideOwnVotes(
  context: DecisionContext,
  pollId: string,
  userId: string,
  decision: { readonly number: number; readonly action: 'set-aside' | 'release'; readonly note?: string },
): Promise<OwnDecision[]> {
  await authorizeCreator(context, pollId, userId);
  const { number, action, note = '' } = decision;
  await endDecision(context, { ballotId: pollId, number }, action, { actor: `creator:${userId}`, note });
  return ownDecisions(context, pollId, userId);
}

async function authorizeCreator({ db, clock }: DecisionContext, pollId: string, userId: string): Promise<void> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.judge);
}

function presentDecision(decision: VoteDecision, texts: ReadonlyMap<string, string>): OwnDecision {
  const { number, action, reason, votes, state, madeAt, decidedAt, expiresAt, cluster } = decision;
  return {
    ...{ number, action, reason, votes, state },
    madeAt: iso(madeAt),
    decidedAt: isoOrNull(decidedAt),
    expiresAt: isoOrNull(expiresAt),
    evidence: {
      networks: cluster.networks?.length ?? 0,
      option: cluster.optionId === undefined ? null : (texts.get(cluster.optionId) ?? null),
      from: isoOrNull(cluster.from ?? null),
      to: isoOrNull(cluster.to ?? null),
    },
  };
}

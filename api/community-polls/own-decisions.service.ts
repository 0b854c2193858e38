import { subnetOfNetwork } from '#domain/integrity/marks.ts';
import { hash } from 'node:crypto';
import { clustersOf, setClusterAside } from '#api/integrity/suspicions.service.ts';
import { decisionsOf, endDecision } from '#api/voting/decisions.service.ts';
import type { DecisionContext as VoteDecisionContext, VoteDecision } from '#api/voting/decisions.service.ts';
import type { PollProtection, Protection } from '#contract/vocabulary.ts';
import { nextProtection, protectionOf } from '#domain/protection.ts';
import type { OwnDecision, OwnSuspiciousVotes } from '#contract/own-decisions.ts';
import type { VoteCluster } from '#contract/suspicion.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { accessTo, authorize } from './access.service.ts';
import { findCommunityPoll } from './community-polls.queries.ts';

/** What creators need to decide about votes. */
export interface DecisionContext extends VoteDecisionContext {
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/**
 * Suspicious clusters of counted votes of the caller’s own poll, and decisions about its votes by number. Throws what
 * {@link accessTo} throws, and FORBIDDEN.
 */
export async function ownDecisions(
  context: DecisionContext,
  pollId: string,
  userId: string,
): Promise<OwnSuspiciousVotes> {
  const { db } = context;
  await authorizeCreator(context, pollId, userId);
  const [poll, decisions] = [await findCommunityPoll(db, pollId), await decisionsOf(db, [pollId])];
  const texts = new Map(poll?.ballot.options.map(({ option_id, text }) => [option_id, text]));
  const suspicious = (await clustersOf(db, pollId)).filter(({ counted }) => counted > 0);
  const isRaisable = poll !== undefined && poll.visibility !== 'private' && poll.ballot.closed_at === null;
  const next = isRaisable ? nextProtection(protectionOf(poll.ballot.protection), context.protections) : null;
  return {
    nextProtection: next as PollProtection | null,
    clusters: suspicious.map(({ criteria, ...cluster }) => ({ id: clusterId(pollId, criteria, cluster), ...cluster })),
    decisions: decisions.map((decision) => presentDecision(decision, texts)),
  };
}

/** Identifies a cluster while it grows, by what its votes are for and its first network; those of one subnet are one. */
function clusterId(
  pollId: string,
  { optionId, networks = [] }: VoteCluster['criteria'],
  { reason, option }: Pick<VoteCluster, 'reason' | 'option'>,
): string {
  const first = networks.reduce((least, network) => Math.min(least, network), Infinity);
  const place = optionId === undefined ? first : subnetOfNetwork(first);
  return hash('sha256', JSON.stringify([pollId, reason, option, place])).slice(0, 16);
}

/**
 * Sets the counted votes of a suspicious cluster of the caller’s own poll aside; returns what {@link ownDecisions} does.
 * Throws what it throws, NOT_FOUND for a cluster that is no longer suspicious, and CONFLICT when no vote of it is counted.
 */
export async function setOwnVotesAside(
  context: DecisionContext,
  pollId: string,
  userId: string,
  { cluster: id, note = '' }: { readonly cluster: string; readonly note?: string },
): Promise<OwnSuspiciousVotes> {
  await authorizeCreator(context, pollId, userId);
  const cluster = (await clustersOf(context.db, pollId)).find(
    ({ criteria, counted, ...about }) => counted > 0 && clusterId(pollId, criteria, about) === id,
  );
  if (!cluster) throw errors.notFound();
  const { criteria, reason } = cluster;
  await setClusterAside(context, pollId, { actor: actorOf(userId) }, { criteria, reason, note, hold: false });
  return ownDecisions(context, pollId, userId);
}

/** The name under which a creator’s decisions are recorded. */
const actorOf = (userId: string) => `creator:${userId}`;

/**
 * Sets held votes of the caller’s own poll aside, or counts votes of a decision again; returns what
 * {@link ownDecisions} does. Throws what it throws, NOT_FOUND, and CONFLICT when the decision was ended differently or the
 * votes are final.
 */
export async function decideOwnVotes(
  context: DecisionContext,
  pollId: string,
  userId: string,
  decision: { readonly number: number; readonly action: 'set-aside' | 'release'; readonly note?: string },
): Promise<OwnSuspiciousVotes> {
  await authorizeCreator(context, pollId, userId);
  const { number, action, note = '' } = decision;
  await endDecision(context, { ballotId: pollId, number }, action, { actor: actorOf(userId), note });
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

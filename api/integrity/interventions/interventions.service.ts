import { writtenReason } from '#domain/integrity/reasons.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import { listedInterventions } from './interventions.contract.ts';
import type { InterventionList } from './interventions.contract.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { DecisionModel } from '#api/voting/decision.model.ts';
import type { PollKind } from '#contract/vocabulary.ts';

/** What became of all votes on listed polls at the moment `now`, and the newest decisions about them. */
export async function interventionList(db: Database, now: number): Promise<InterventionList> {
  const [{ totalVotes, importedVotes }, notCounted, { decisions, held }, newest] = [
    await statisticsNow(db, now),
    await notCountedTotal(db),
    await decisionTotals(db),
    await newestDecisions(db, listedInterventions),
  ];
  return {
    receivedVotes: totalVotes + notCounted,
    countedVotes: totalVotes,
    importedVotes,
    setAsideVotes: notCounted - held,
    heldVotes: held,
    decisions,
    interventions: newest.map(({ number, action, state, reason, votes, made_at, decided_at, id, kind, question }) => ({
      ...{ number, action, state, reason, votes },
      poll: { id, kind, question },
      madeAt: iso(made_at),
      decidedAt: isoOrNull(decided_at),
    })),
  };
}

/** A decision about votes of a poll that counts toward the headline figures. */
interface ListedDecision extends Pick<
  DecisionModel,
  'number' | 'action' | 'state' | 'reason' | 'votes' | 'made_at' | 'decided_at'
> {
  readonly id: string;
  readonly kind: PollKind;
  readonly question: string;
}

/** Decisions about polls that anyone may find in lists; as in the totals, without demonstration polls. */
const listed = (db: Database) =>
  db('vote_decisions as decision')
    .join('ballots as ballot', 'ballot.key', 'decision.ballot_key')
    .where({ listed: true, in_totals: true });

/** The newest decisions about votes of listed polls, without reviews of written answers, which no integrity is in question for. */
async function newestDecisions(db: Database, limit: number): Promise<ListedDecision[]> {
  return listed(db)
    .leftJoin('polls', 'polls.id', 'ballot.id')
    .leftJoin('community_polls', 'community_polls.id', 'ballot.id')
    .whereNot('reason', writtenReason)
    .orderBy('decision.key', 'desc')
    .limit(limit)
    .select(
      ...['number', 'action', 'state', 'reason', 'votes', 'made_at', 'decided_at', 'ballot.id', 'ballot.kind'],
      db.raw('coalesce(polls.question, community_polls.question) as question'),
    );
}

/** How many decisions about listed polls there are, and how many of their votes are held. */
async function decisionTotals(db: Database): Promise<{ decisions: number; held: number }> {
  const { decisions } = await listed(db)
    .whereNot('reason', writtenReason)
    .count({ decisions: '*' })
    .first<{ decisions: number | string }>();
  const { held } = await listed(db)
    .where({ state: 'held' })
    .sum({ held: 'votes' })
    .first<{ held: number | string | null }>();
  return { decisions: Number(decisions), held: Number(held ?? 0) };
}

/** Votes of polls that count toward totals that are not counted, held ones included; from counters. */
async function notCountedTotal(db: Database): Promise<number> {
  const { votes } = await db('statistics').sum({ votes: 'set_aside_votes' }).first<{ votes: number | string | null }>();
  return Number(votes ?? 0);
}

import type { PollKind } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import type { DecisionModel } from '#api/voting/decision.model.ts';

/** A decision about votes of a publicly listed poll. */
export interface ListedDecision extends Pick<
  DecisionModel,
  'number' | 'action' | 'state' | 'reason' | 'votes' | 'made_at' | 'decided_at'
> {
  readonly id: string;
  readonly kind: PollKind;
  readonly question: string;
}

/** Decisions about polls that anyone may find in lists. */
const listed = (db: Database) =>
  db('vote_decisions as decision').join('ballots as ballot', 'ballot.key', 'decision.ballot_key').where('listed', true);

/** The newest decisions about votes of listed polls. */
export async function newestDecisions(db: Database, limit: number): Promise<ListedDecision[]> {
  return listed(db)
    .leftJoin('polls', 'polls.id', 'ballot.id')
    .leftJoin('community_polls', 'community_polls.id', 'ballot.id')
    .orderBy('decision.key', 'desc')
    .limit(limit)
    .select<ListedDecision[]>(
      ...['number', 'action', 'state', 'reason', 'votes', 'made_at', 'decided_at', 'ballot.id', 'ballot.kind'],
      db.raw('coalesce(polls.question, community_polls.question) as question'),
    );
}

/** How many decisions about listed polls there are, and how many votes of polls that count toward totals are held. */
export async function decisionTotals(db: Database): Promise<{ decisions: number; held: number }> {
  const { decisions } = await listed(db).count({ decisions: '*' }).first<{ decisions: number | string }>();
  const { held } = await listed(db)
    .where({ state: 'held', in_totals: true })
    .sum({ held: 'votes' })
    .first<{ held: number | string | null }>();
  return { decisions: Number(decisions), held: Number(held ?? 0) };
}

/** Votes of polls that count toward totals that are not counted, held ones included; from counters. */
export async function notCountedTotal(db: Database): Promise<number> {
  const { votes } = await db('statistics').sum({ votes: 'set_aside_votes' }).first<{ votes: number | string | null }>();
  return Number(votes ?? 0);
}

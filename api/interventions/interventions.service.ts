import { statisticsNow } from '#api/voting/statistics.service.ts';
import { listedInterventions } from '#contract/interventions.ts';
import type { InterventionList } from '#contract/interventions.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { decisionTotals, newestDecisions, notCountedTotal } from './interventions.queries.ts';

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

import * as limits from '#contract/limits.ts';
import type { Poll, RelatedPoll } from '#contract/poll.ts';
import { presentPoll } from './poll.presenter.ts';
import type { PollsContext } from './polls.service.ts';
import { closedPollsAfter, mostVotedByCategory } from './reports.queries.ts';

/** Closed polls that the snapshot reads at once. */
const snapshotBatch = 1_000;

/** A closed poll and the polls that its report links to. */
export interface Report {
  readonly poll: Poll;
  readonly related: readonly RelatedPoll[];
}

/**
 * Every closed poll with its related polls, in the order of their ids and as nobody in particular sees them.
 * Memory holds one batch at a time. Hand in a transaction to read one consistent state.
 */
export async function* allReports({ db, clock }: PollsContext): AsyncGenerator<Report> {
  const now = clock.now();
  const mostVoted = Map.groupBy(await mostVotedByCategory(db), ({ category }) => category);
  let after = '';
  for (;;) {
    const polls = await closedPollsAfter(db, after, snapshotBatch);
    for (const poll of polls) yield { poll: presentPoll(poll, now), related: relatedTo(poll.id, poll.ballot.category) };
    const last = polls.at(-1);
    if (!last) return;
    after = last.id;
  }

  function relatedTo(id: string, category: string | null): RelatedPoll[] {
    const candidates = category === null ? [] : (mostVoted.get(category) ?? []);
    return candidates
      .filter((candidate) => candidate.id !== id)
      .slice(0, limits.relatedPolls)
      .map((candidate) => ({ id: candidate.id, question: candidate.question, totalVotes: candidate.totalVotes }));
  }
}

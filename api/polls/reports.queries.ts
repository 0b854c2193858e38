import * as limits from '#contract/limits.ts';
import type { RelatedPoll } from '#contract/poll.ts';
import type { Database } from '#platform/database.ts';
import type { PollModel } from './poll.model.ts';
import { archiveCategories, mostVoted, pollsInOrder } from './polls.queries.ts';

/** Up to `count` closed polls with ballot and options, in the order of their ids, behind the id `after`. */
export async function closedPollsAfter(db: Database, after: string, count: number): Promise<PollModel[]> {
  const ids = await db('ballots')
    .where('kind', 'poll')
    .whereNotNull('closed_at')
    .where('id', '>', after)
    .orderBy('id')
    .limit(count)
    .pluck<string[]>('id');
  return pollsInOrder(db, ids);
}

/**
 * The most voted closed polls of every category in the order of the related-polls call, one more than a report
 * shows, so that a poll can be left out of its own list. One look into an index for each category: to rank all polls
 * would be to read them all.
 */
export async function mostVotedByCategory(db: Database): Promise<(RelatedPoll & { category: string })[]> {
  const ranked: (RelatedPoll & { category: string })[] = [];
  for (const { category } of await archiveCategories(db))
    if (category !== '')
      for (const poll of await mostVoted(db, category, limits.relatedPolls + 1)) ranked.push({ ...poll, category });
  return ranked;
}

import { limits } from '#contract/limits.ts';
import type { RelatedPoll } from '#contract/poll.ts';
import type { Database } from '#platform/database.ts';
import type { PollModel } from './poll.model.ts';
import { pollsInOrder } from './polls.queries.ts';

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
 * shows, so that a poll can be left out of its own list.
 */
export async function mostVotedByCategory(db: Database): Promise<(RelatedPoll & { category: string })[]> {
  const ranked = db('ballots')
    .where('kind', 'poll')
    .whereNotNull('closed_at')
    .whereNotNull('category')
    .select('id', 'category', 'total_votes')
    .rowNumber('place', (over) => {
      over
        .orderBy([
          { column: 'total_votes', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .partitionBy('category');
    });
  return db
    .from(ranked.as('ranked'))
    .join('polls', 'polls.id', 'ranked.id')
    .where('ranked.place', '<=', limits.relatedPolls + 1)
    .orderBy([{ column: 'ranked.category' }, { column: 'ranked.place' }])
    .select('ranked.id', 'polls.question', 'ranked.total_votes as totalVotes', 'ranked.category');
}

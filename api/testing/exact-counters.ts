import { expect } from 'vitest';
import type { Database } from '#platform/database.ts';
import { expectExactCommentCounts } from './discussions.ts';

/** Expects every counter to equal the rows behind it: options, ballots, headline figures, archive, comments. */
export async function expectExactCounters(db: Database): Promise<void> {
  const options = await db('ballot_options')
    .leftJoin('votes', (join) => {
      join.on('votes.ballot_id', 'ballot_options.ballot_id').andOn('votes.option_id', 'ballot_options.option_id');
    })
    .groupBy(
      'ballot_options.ballot_id',
      'ballot_options.option_id',
      'ballot_options.base_votes',
      'ballot_options.votes',
    )
    .havingRaw('ballot_options.votes <> ballot_options.base_votes + count(votes.id)')
    .select('ballot_options.ballot_id', 'ballot_options.option_id');
  expect(options, 'options whose votes are not base plus rows').toEqual([]);

  const ballots = await db('ballots')
    .join('ballot_options', 'ballot_options.ballot_id', 'ballots.id')
    .groupBy('ballots.id', 'ballots.total_votes', 'ballots.base_votes')
    .havingRaw(
      'ballots.total_votes <> sum(ballot_options.votes) or ballots.base_votes <> sum(ballot_options.base_votes)',
    )
    .select('ballots.id');
  expect(ballots, 'ballots whose totals are not the sum of their options').toEqual([]);

  const figures = await db('statistics').sum({ votes: 'total_votes', polls: 'total_polls' }).first<Sums>();
  const sums = await db('ballots')
    .where({ listed: true })
    .sum({ votes: 'total_votes' })
    .count({ polls: '*' })
    .first<Sums>();
  expect(numbers(figures), 'headline figures').toEqual(numbers(sums));

  const counted = await db('archive_categories').where('closed_polls', '>', 0).orderBy('category');
  const closed = await db('ballots')
    .where({ kind: 'poll' })
    .whereNotNull('closed_at')
    .groupBy('category')
    .select<{ category: string | null; count: string | number }[]>('category', db.raw('count(*) as count'));
  expect(Object.fromEntries(counted.map(({ category, closed_polls }) => [category, closed_polls])), 'archive').toEqual(
    Object.fromEntries(closed.map(({ category, count }) => [category ?? '', Number(count)])),
  );
  await expectExactCommentCounts(db);
}

type Sums = Readonly<Record<'votes' | 'polls', string | number | null>>;

function numbers({ votes, polls }: Sums) {
  return { votes: Number(votes ?? 0), polls: Number(polls ?? 0) };
}

import type { QueryOf } from '#contract/endpoints.ts';
import * as limits from '#contract/limits.ts';
import type { HistoricalPage, Poll, RelatedPoll } from '#contract/poll.ts';
import { allCategories } from '#contract/vocabulary.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';
import type { Voter } from '#api/voting/voter.ts';
import type { PollModel } from './poll.model.ts';
import { lifespanOf, presentPoll, presentPollCard } from './poll.presenter.ts';
import {
  archiveCategories,
  findPoll,
  historicalPolls,
  openPolls,
  pollQuestions,
  relatedPolls,
} from './polls.queries.ts';

/** What the use cases of this room stand on. */
export interface PollsContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** This week's polls as the voter sees them; `read` finds those that are open. */
export async function activePollsFor(
  { db, clock }: PollsContext,
  voter: Voter | null,
  read: () => Promise<PollModel[]> = () => openPolls(db, clock.now()),
): Promise<Poll[]> {
  const polls = await read();
  const now = clock.now();
  const recorded = await recordedVotes(
    db,
    voter,
    polls.map(({ id }) => id),
  );
  return polls.map((poll) => presentPoll(poll, now, recorded));
}

/**
 * One poll as the voter sees it; `read` finds it by its id. Before its start there is none for anybody but the operator,
 * who has a preview link. Throws POLL_NOT_FOUND.
 */
export async function pollFor(
  { db, clock }: PollsContext,
  id: string,
  voter: Voter | null,
  read: (id: string) => Promise<PollModel | undefined> = (wanted) => findPoll(db, wanted),
  isPreview = false,
): Promise<Poll> {
  const poll = await read(id);
  const now = clock.now();
  if (!poll || (!isPreview && phaseOf(lifespanOf(poll.ballot), now) === 'upcoming')) throw errors.pollNotFound();
  return presentPoll(poll, now, await recordedVotes(db, voter, [id]));
}

/** What these polls ask, by id; polls that are gone or have not started are left out. */
export async function questionsOf(
  { db, now }: { readonly db: Database; readonly now: number },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const started = (await pollQuestions(db, ids)).filter((poll) => phaseOf(lifespanOf(poll), now) !== 'upcoming');
  return new Map(started.map(({ id, question }) => [id, question]));
}

/** One page of the archive; a page past the end is empty and has the true total. */
export async function archivePage(
  { db, clock }: PollsContext,
  query: QueryOf<'historicalPolls'>,
): Promise<HistoricalPage> {
  const { page = 1, limit = limits.historicalPageSize, sort = 'newest' } = query;
  const category = query.category === undefined || query.category === allCategories ? null : query.category;
  const categories = await archiveCategories(db);
  const counted = category === null ? categories : categories.filter((one) => one.category === category);
  const total = counted.reduce((sum, one) => sum + one.closed_polls, 0);
  const polls = await historicalPolls(db, { page, limit, sort, category, total });
  return {
    polls: polls.map((poll) => presentPollCard(poll, clock.now())),
    total,
    categories: [allCategories, ...categories.map((one) => one.category).filter((name) => name !== '')],
  };
}

/** Up to six closed polls of the category, most voted first. */
export function pollsRelatedTo({ db }: PollsContext, category: string, id: string): Promise<RelatedPoll[]> {
  return relatedPolls(db, category, id);
}

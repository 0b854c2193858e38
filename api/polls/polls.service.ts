import { priorities, recordChanges, watchTopics } from '#api/publishing/changes.service.ts';
import type { ListMoves } from '#api/publishing/changes.service.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import { votesOverTime } from '#api/voting/option-days.service.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';
import type { QueryOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import type { HistoricalPage, Poll, RelatedPoll, VotesOverTime } from './polls.contract.ts';
import type { Series } from '#api/polls/topics/series.contract.ts';
import { allCategories } from '#contract/vocabulary.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { byWorthAnswering } from '#domain/poll-order.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Voter } from '#api/voting/voter.ts';
import type { PollModel } from './poll.model.ts';
import { presentPoll, presentPollCard } from './poll.presenter.ts';
import {
  archiveCategories,
  archivedTimes,
  closedPollIdsAfter,
  findPoll,
  historicalPolls,
  mostVoted,
  openPolls,
  pollQuestions,
  pollsInOrder,
  unclosedPollIds,
} from './polls.queries.ts';
import type { ReadPolls } from './polls.queries.ts';
import { archiveYears } from '#api/polls/topics/topics.service.ts';
import { topicSlug } from '#domain/topics.ts';
import { seriesOf } from './topic-lists.service.ts';

export { pollsReadOnce } from './polls.queries.ts';

/** Ids of closed polls that are read at once. */
const idsAtOnce = 1_000;

/** What the use cases of weekly polls need. */
export interface PollsContext {
  readonly db: Database;
  readonly clock: Clock;
  /** Reads polls by their ids, as {@link pollsReadOnce} does; undefined: each list and page reads its own. */
  readonly readPolls?: ReadPolls | undefined;
}

/** This week’s polls as the voter sees them, in the order to answer them; `read` loads the open polls. */
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
  return byWorthAnswering(
    polls.map((poll) => presentPoll(poll, now, recorded)),
    now,
  );
}

/** One poll as the voter sees it, once it has started; `read` loads it by its id. Throws POLL_NOT_FOUND. */
export async function pollFor(
  { db, clock }: PollsContext,
  id: string,
  voter: Voter | null,
  read: (id: string) => Promise<PollModel | undefined> = (wanted) => findPoll(db, wanted),
): Promise<Poll> {
  const poll = await read(id);
  const now = clock.now();
  if (!poll || phaseOf(lifespanOf(poll.ballot), now) === 'upcoming') throw errors.pollNotFound();
  return presentPoll(poll, now, await recordedVotes(db, voter, [id]));
}

/** The questions of these polls, by id; polls that don’t exist or have not started are left out. */
export async function questionsOf(
  { db, now }: { readonly db: Database; readonly now: number },
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const started = (await pollQuestions(db, ids)).filter((poll) => phaseOf(lifespanOf(poll), now) !== 'upcoming');
  return new Map(started.map(({ id, question }) => [id, question]));
}

/** One page of the archive; a page past the end is empty and has the correct total. */
export async function archivePage(
  { db, clock, readPolls }: PollsContext,
  query: QueryOf<'historicalPolls'>,
): Promise<HistoricalPage> {
  const { page = 1, limit = limits.historicalPageSize, sort = 'newest' } = query;
  const category = query.category === undefined || query.category === allCategories ? null : query.category;
  const categories = await archiveCategories(db);
  const counted = category === null ? categories : categories.filter((one) => one.category === category);
  const total = counted.reduce((sum, one) => sum + one.closed_polls, 0);
  const polls = await historicalPolls(db, { page, limit, sort, category, total }, readPolls);
  return {
    polls: polls.map((poll) => presentPollCard(poll, clock.now())),
    total,
    categories: [allCategories, ...categories.map((one) => one.category).filter((name) => name !== '')],
    years: await archiveYears(db, limits.archiveYears),
  };
}

/** A poll and, if it is closed, the polls that its report links to. */
export interface Report {
  readonly poll: Poll;
  readonly related: RelatedPoll[];
  /** When its votes were cast, once they are counted by day. */
  readonly overTime: VotesOverTime | null;
  /** How opinion moved from wave to wave, if the question was asked several times. */
  readonly series: Series | null;
}

/**
 * Open and closed polls with their related polls by id, as an anonymous reader sees them; without others. Many polls take
 * as many queries as one, plus one per category and series.
 */
export async function pollPages(
  { db, clock, readPolls = (wanted) => pollsInOrder(db, wanted) }: PollsContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Report>> {
  const now = clock.now();
  const polls = await readPolls(ids);
  // The sweep that closes polls may be late.
  const closed = polls.filter(({ ballot }) => closedMoment(lifespanOf(ballot), now) !== null);
  const open = polls.filter((poll) => !closed.includes(poll) && phaseOf(lifespanOf(poll.ballot), now) === 'open');
  const overTime = await votesOverTime(
    db,
    closed.map(({ id }) => id),
  );
  const series = new Map<string, Series | null>();
  for (const name of new Set(closed.map((poll) => poll.series)))
    if (name !== null) series.set(name, await seriesOf({ db, clock }, topicSlug(name)));
  const pages = new Map<string, Report>();
  for (const poll of open)
    pages.set(poll.id, { poll: presentPoll(poll, now), related: [], overTime: null, series: null });
  for (const [category, own] of Map.groupBy(closed, ({ ballot }) => ballot.category)) {
    const first = category ? await mostVoted(db, category, limits.relatedPolls + 1) : [];
    for (const poll of own) {
      const related = first.filter(({ id }) => id !== poll.id).slice(0, limits.relatedPolls);
      pages.set(poll.id, {
        poll: presentPoll(poll, now),
        related,
        overTime: overTime.get(poll.id) ?? null,
        series: series.get(poll.series ?? '') ?? null,
      });
    }
  }
  return pages;
}

/** A poll as far as lists of closed ones depend on it. */
interface ListedPoll {
  readonly id: string;
  readonly category: string | null;
  readonly closedAt: number | null;
}

/**
 * The lists that have these polls: those of topics, and the related polls of reports in the categories of closed ones. Call it
 * before they change, with what they become where that is known, and the function it returns afterward, in the same
 * transaction: that records the pages of the lists that differ from now on.
 */
export async function watchLists(
  trx: Database,
  polls: readonly ListedPoll[],
): Promise<(at: number, moves?: ListMoves) => Promise<void>> {
  const recordMoves = await watchTopics(trx, [...new Set(polls.map(({ id }) => id))]);
  const recordRelated = await watchRelated(
    trx,
    polls.map(({ category, closedAt }) => (closedAt === null ? null : category)),
  );
  return async (at, moves = {}) => {
    await recordMoves(at, moves);
    await recordRelated(at, moves);
  };
}

async function watchRelated(
  trx: Database,
  categories: readonly (string | null)[],
): Promise<(at: number, moves: ListMoves) => Promise<void>> {
  const names = [...new Set(categories)].filter((name) => name !== null);
  const lists = async () => {
    const found: string[] = [];
    for (const name of names) found.push(JSON.stringify(await mostVoted(trx, name, limits.relatedPolls + 1)));
    return found;
  };
  const before = await lists();
  return async (at, { isRemoval = false }) => {
    const after = await lists();
    const changed = names.filter((_, place) => before[place] !== after[place]);
    const event = isRemoval ? 'removed' : null;
    const changes = changed.map((key) => ({ kind: 'related', key, event }) as const);
    // Links to pages that are gone go before other lists are refreshed.
    await recordChanges(trx, at, changes, isRemoval ? priorities.many : priorities.background);
  };
}

/** The most recently closed polls, as an anonymous reader sees them. */
export async function newestReports({ db, clock, readPolls }: PollsContext, count: number): Promise<Poll[]> {
  const polls = await historicalPolls(db, { page: 1, limit: count, sort: 'newest', category: null }, readPolls);
  return polls.map((poll) => presentPoll(poll, clock.now()));
}

/** How many polls the archive has, from counters. */
export async function archiveTotal(db: Database): Promise<number> {
  return (await archiveCategories(db)).reduce((sum, one) => sum + one.closed_polls, 0);
}

/** One page of the archive, oldest first: ids, and when each report last changed (ISO 8601). */
export async function reportTimes(
  db: Database,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ id: string; changedAt: string }[]> {
  const total = await archiveTotal(db);
  const times = await archivedTimes(db, { page, limit, sort: 'oldest', category: null, total });
  // Closing a poll changes its page.
  return times.map(({ id, closed_at, updated_at }) => ({ id, changedAt: iso(Math.max(closed_at, updated_at)) }));
}

/** Ids of the polls that have a page: started polls first, then closed ones, one batch in memory at a time. */
export async function* pagedPollIds({ db, clock }: PollsContext): AsyncGenerator<string> {
  yield* await unclosedPollIds(db, clock.now());
  for (let after = ''; ;) {
    const ids = await closedPollIdsAfter(db, after, idsAtOnce);
    yield* ids;
    if (ids.length < idsAtOnce) return;
    after = ids.at(-1)!;
  }
}

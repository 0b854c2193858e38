import { createLockedAccounts, removeLockedAccounts } from '#api/members/accounts/accounts.service.ts';
import { seedComments } from '#api/comments/comments.service.ts';
import { seedCommunityPolls } from '#api/polls/community/creation.service.ts';
import type { SeedPoll } from '#api/polls/community/creation.service.ts';
import { pollIdsOf, removePoll } from '#api/polls/community/ending.service.ts';
import { removeUnchangedArticles, unchangedArticles } from '#api/content/entries.service.ts';
import { seedDemonstration } from '#api/polls/import/poll-import.service.ts';
import type { StatedPoll } from '#api/polls/import/poll-import.service.ts';
import { demonstrationPollIds } from '#api/polls/managing.service.ts';
import { removeDemonstrationPoll } from '#api/polls/removal.service.ts';
import { bundledArticles } from '#content/demo/articles.ts';
import type { DemonstrationCommunityPoll } from '#content/demo/community-polls.ts';
import {
  demonstrationComment,
  demonstrationCommunityPolls,
  demonstrationMembers,
} from '#content/demo/community-polls.ts';
import type { DemonstrationPoll } from '#content/demo/polls.ts';
import { demonstrationAuthor, demonstrationNotes, demonstrationPolls, demonstrationTag } from '#content/demo/polls.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Loads the demonstration polls and community polls into a database without polls, with dates relative to now, so that
 * some of them are open. Returns how many polls were loaded: 0 when there are some already. Safe when several processes
 * start at once.
 */
export async function loadDemonstration(db: Database, clock: Clock): Promise<number> {
  const now = clock.now();
  return seedDemonstration(
    db,
    clock,
    demonstrationPolls.map((poll) => statedPoll(poll, now)),
    (trx) => loadCommunityDemonstration(trx, now),
  );
}

/** A demonstration poll as a record of an import. Polls open at 8:00 and end at 20:00 UTC. */
function statedPoll(poll: DemonstrationPoll, now: number): StatedPoll {
  const today = now - (now % day);
  const startsAt = today + poll.starts * day + 8 * hour;
  return {
    line: 0,
    id: poll.id,
    question: poll.question,
    description: poll.description,
    options: poll.options.map(([text, votes], index) => ({ id: `option-${index + 1}`, text, votes })),
    isActive: poll.ends > 0,
    createdAt: startsAt,
    startsAt,
    endsAt: today + poll.ends * day + 20 * hour,
    closedAt: poll.closed === undefined ? null : today + poll.closed * day + 9 * hour,
    updatedAt: null,
    category: poll.category ?? null,
    tags: [...(poll.tags ?? []), demonstrationTag],
    series: poll.series ?? null,
    author: poll.author === undefined ? demonstrationAuthor : poll.author,
    summary: poll.summary ?? null,
    analysis: poll.analysis ?? null,
    methodologyNotes: demonstrationNotes,
    countryBreakdown: (poll.countries ?? []).map(([name, percentage]) => ({ name, percentage })),
  };
}

/**
 * Loads the demonstration community polls with their comments and their two accounts, which nobody can sign in to. Times
 * are relative to `now`. Loads nothing when one of the usernames is taken.
 */
async function loadCommunityDemonstration(trx: Database, now: number): Promise<void> {
  const { author, reader } = demonstrationMembers;
  const since = now - 20 * day;
  if (!(await createLockedAccounts(trx, [author, reader], since))) return;
  await seedCommunityPolls(
    trx,
    demonstrationCommunityPolls.map((poll) => toSeedPoll(poll, now)),
    now,
  );
  await seedComments(
    trx,
    demonstrationCommunityPolls.flatMap(({ id: pollId, made, comments = [] }) => [
      { pollId, userId: author.id, content: demonstrationComment, createdAt: now - made * hour },
      ...comments.map(([hoursAgo, content]) => ({
        pollId,
        userId: reader.id,
        content,
        createdAt: now - hoursAgo * hour,
      })),
    ]),
  );
}

function toSeedPoll(poll: DemonstrationCommunityPoll, now: number): SeedPoll {
  const { id, question, description, category, featured = false, made, opens, ends, closed } = poll;
  const createdAt = now - made * hour;
  return {
    id,
    createdBy: demonstrationMembers.author.id,
    question,
    description,
    category,
    tags: [demonstrationTag],
    featured,
    createdAt,
    startsAt: opens === undefined ? createdAt : now + opens * hour,
    endsAt: ends === undefined ? null : now + ends * hour,
    closedAt: closed === undefined ? null : now - closed * hour,
    options: poll.options.map(([text, votes]) => ({ text, votes })),
  };
}

const accounts = Object.values(demonstrationMembers).map(({ id }) => id);

/** How many demonstration polls, community polls, and unchanged articles exist. */
export async function countDemonstration(db: Database): Promise<number> {
  const articles = await unchangedArticles(db, bundledArticles);
  return (await demonstrationPollIds(db)).length + (await pollIdsOf(db, accounts)).length + articles.length;
}

/**
 * Deletes the demonstration polls and community polls with their votes, comments, and accounts, and the articles that came
 * with the software and were never changed. Each poll has its own
 * transaction, so that votes on other polls don't wait; after a failure, the next call continues.
 */
export async function removeDemonstration(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: string,
): Promise<{ polls: number; communityPolls: number; articles: number }> {
  const removal = { type: 'demonstration.remove', actor } as const;
  let polls = 0;
  let communityPolls = 0;
  for (const id of await demonstrationPollIds(db))
    if (await db.transaction((trx) => removeDemonstrationPoll({ trx, clock }, id, actor))) polls += 1;
  for (const id of await pollIdsOf(db, accounts))
    if (await db.transaction((trx) => removePoll({ trx, clock }, id, removal))) communityPolls += 1;
  await removeLockedAccounts(db, accounts);
  const articles = await removeUnchangedArticles({ db, clock }, actor, bundledArticles);
  return { polls, communityPolls, articles };
}

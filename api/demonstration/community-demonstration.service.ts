import {
  demonstrationComment,
  demonstrationCommunityPolls,
  demonstrationMembers,
} from '#content/demo/community-polls.ts';
import type { DemonstrationCommunityPoll } from '#content/demo/community-polls.ts';
import { demonstrationTag } from '#content/demo/polls.ts';
import type { Database } from '#platform/database.ts';
import { makeLockedAccounts } from '#api/accounts/locked-account.service.ts';
import { seedComments } from '#api/comments/seed.service.ts';
import { seedCommunityPolls } from '#api/community-polls/seed.service.ts';
import type { SeededPoll } from '#api/community-polls/seed.service.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Loads the demonstration's community polls with their comments, and the two accounts behind them, which nobody can
 * sign in to. Moments are relative to `now`. Where somebody has one of the names already, nothing is loaded.
 */
export async function loadCommunityDemonstration(trx: Database, now: number): Promise<void> {
  const { desk, reader } = demonstrationMembers;
  const since = now - 20 * day;
  if (!(await makeLockedAccounts(trx, [desk, reader], since))) return;
  await seedCommunityPolls(
    trx,
    demonstrationCommunityPolls.map((poll) => seededPoll(poll, now)),
  );
  await seedComments(
    trx,
    demonstrationCommunityPolls.flatMap(({ id: pollId, made, comments = [] }) => [
      { pollId, userId: desk.id, content: demonstrationComment, createdAt: now - made * hour },
      ...comments.map(([hoursAgo, content]) => ({
        pollId,
        userId: reader.id,
        content,
        createdAt: now - hoursAgo * hour,
      })),
    ]),
  );
}

function seededPoll(poll: DemonstrationCommunityPoll, now: number): SeededPoll {
  const { id, question, description, category, featured = false, made, opens, ends, closed } = poll;
  const createdAt = now - made * hour;
  return {
    id,
    createdBy: demonstrationMembers.desk.id,
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

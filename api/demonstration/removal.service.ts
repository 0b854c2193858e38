import { demonstrationMembers } from '#content/demo/community-polls.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { demonstrationTexts } from '#texts/demonstration.ts';
import { removeLockedAccounts } from '#api/accounts/locked-account.service.ts';
import { keepFactsOf } from '#api/activity/notes.service.ts';
import { pollIdsOf } from '#api/community-polls/ending.service.ts';
import { demonstrationPolls, removeDemonstrationPoll } from '#api/polls/removal.service.ts';
import { requestTakedown } from '#api/publishing/publishing.service.ts';
import { deleteBallot } from '#api/voting/voting.service.ts';

const accounts = Object.values(demonstrationMembers).map(({ id }) => id);

/** How many polls and community polls there are that came with the software. */
export async function countDemonstration(db: Database): Promise<number> {
  return (await demonstrationPolls(db)).length + (await pollIdsOf(db, accounts)).length;
}

/**
 * Removes all polls and community polls that came with the software, with their votes and comments, and the accounts
 * behind them. Each goes in a transaction of its own, so that votes on other polls wait for none; asking again goes on.
 */
export async function removeDemonstration({
  db,
  clock,
}: {
  db: Database;
  clock: Clock;
}): Promise<{ polls: number; communityPolls: number }> {
  let polls = 0;
  let communityPolls = 0;
  for (const id of await demonstrationPolls(db))
    await db.transaction(async (trx) => {
      if (!(await removeDemonstrationPoll(trx, id, () => keepFactsOf({ trx, clock }, id)))) return;
      await requestTakedown(trx, clock, [id], { reason: demonstrationTexts.buildReason, restart: true });
      polls += 1;
    });
  for (const id of await pollIdsOf(db, accounts))
    await db.transaction(async (trx) => {
      if (!(await deleteBallot(trx, id, () => keepFactsOf({ trx, clock }, id)))) return;
      await requestTakedown(trx, clock, [id], { reason: demonstrationTexts.buildReason, restart: true });
      communityPolls += 1;
    });
  await removeLockedAccounts(db, accounts);
  return { polls, communityPolls };
}

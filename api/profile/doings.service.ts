import type { PollDoing } from '#contract/profile.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordFact } from '#api/activity/facts.service.ts';
import { accessTo } from '#api/community-polls/access.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';

/**
 * Keeps that a member opened a poll, or copied its link: once for each poll. Only polls that the member may see count;
 * throws what opening the poll itself would throw.
 */
export async function notePollDoing(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userId: string,
  fact: 'poll_opened' | 'poll_shared',
  { kind, id }: PollDoing,
): Promise<void> {
  const now = clock.now();
  if (kind === 'community') await accessTo({ db, now }, id, userId);
  else if (!(await questionsOf({ db, now }, [id])).has(id)) throw errors.pollNotFound();
  await recordFact(db, userId, { fact, at: now, pollId: id });
}

import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { rowOf } from './fact-row.ts';
import type { KeptFact } from './fact-row.ts';
import { addFacts, firstAccountAt } from './facts.queries.ts';

/**
 * Keeps a fact about a member, once; to be called in the transaction of what it tells of where there is one. It is
 * counted towards badges afterwards, so that nothing about badges can make that transaction fail.
 */
export async function recordFact(db: Database, userId: string, event: KeptFact): Promise<void> {
  await addFacts(db, [rowOf(userId, event)]);
}

/** Days after an installation's first account until which members are early adopters, where no date is set. */
const earlyAdopterDays = 90;

/**
 * Records a sign-up in its transaction. The new member is an early adopter before `earlyUntil` (milliseconds), or, when
 * that is null, within {@link earlyAdopterDays} of the first account.
 */
export async function recordSignUp(
  trx: Database,
  userId: string,
  at: number,
  earlyUntil: number | null,
): Promise<void> {
  const until = earlyUntil ?? (await firstAccountAt(trx)) + earlyAdopterDays * 86_400_000;
  await recordFact(trx, userId, { fact: 'account_created', at, early: at < until });
}

/** Keeps the fact that a public poll is featured, for its creator if there is one. */
export async function recordFeatured(trx: Database, pollId: string, at: number): Promise<void> {
  await beginWriting(trx);
  const poll = await trx('community_polls')
    .where({ id: pollId, visibility: 'public' })
    .first<{ created_by: string | null } | undefined>('created_by');
  if (poll?.created_by != null) await recordFact(trx, poll.created_by, { fact: 'own_poll_featured', at, pollId });
}

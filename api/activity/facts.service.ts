import { badgeNumbers } from '#contract/badges.ts';
import { beginWriting, isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { rowOf } from './fact-row.ts';
import type { KeptFact } from './fact-row.ts';
import { addFacts, otherMembers } from './facts.queries.ts';

/**
 * Keeps a fact about a member, once; to be called in the transaction of what it tells of where there is one. It is
 * counted towards badges afterwards, so that nothing about badges can make that transaction fail.
 */
export async function recordFact(db: Database, userId: string, event: KeptFact): Promise<void> {
  await addFacts(db, [rowOf(userId, event)]);
}

/** Keeps the fact of a sign-up, in its transaction and last of all. */
export async function recordSignUp(trx: Database, userId: string, at: number): Promise<void> {
  await recordFact(trx, userId, { fact: 'account_created', at, membersBefore: await membersBefore(trx, userId) });
}

/** Keeps the fact that a public poll is featured, for its creator if there is one. */
export async function recordFeatured(trx: Database, pollId: string, at: number): Promise<void> {
  await beginWriting(trx);
  const poll = await trx('community_polls')
    .where({ id: pollId, visibility: 'public' })
    .first<{ created_by: string | null } | undefined>('created_by');
  if (poll?.created_by != null) await recordFact(trx, poll.created_by, { fact: 'own_poll_featured', at, pollId });
}

/** How many members there were before, counted as far as it matters: up to the number of early adopters. */
async function membersBefore(trx: Database, userId: string): Promise<number> {
  const most = badgeNumbers.earlyAdopterMembers;
  const others = await otherMembers(trx, userId, most);
  // SQLite has one writer. Elsewhere the first members take turns, or two of them would not see each other.
  if (others >= most || isSqlite(trx)) return others;
  await trx.raw("select pg_advisory_xact_lock(hashtextextended('early members', 0))");
  return otherMembers(trx, userId, most);
}

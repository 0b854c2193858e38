import type { Database } from '#platform/database.ts';

/** Closes a ballot that is not over at the moment `now`; false when it is, or is gone. */
export async function closeBallot(trx: Database, id: string, now: number): Promise<boolean> {
  const closed = await notOver(trx, now).where({ id }).update({ is_active: false, closed_at: now });
  return closed > 0;
}

/** Closes all ballots of a member's community polls that are not over at the moment `now`. */
export async function closeBallotsOf(trx: Database, userId: string, now: number): Promise<void> {
  // Locked in the order of ids, as votes lock them, so that neither waits for the other in a circle.
  const open = notOver(trx, now)
    .whereIn('id', trx('community_polls').where({ created_by: userId }).select('id'))
    .orderBy('id')
    .select('id')
    .forUpdate();
  await notOver(trx, now).whereIn('id', open).update({ is_active: false, closed_at: now });
}

/** Whether a member has made a poll that lists show. */
export async function hasPublicPolls(db: Database, userId: string): Promise<boolean> {
  return (await db('community_polls').where({ created_by: userId, visibility: 'public' }).first('id')) !== undefined;
}

/** Ballots that nobody has closed and whose end has not come. */
function notOver(trx: Database, now: number) {
  return trx('ballots')
    .whereNull('closed_at')
    .where((end) => void end.whereNull('ends_at').orWhere('ends_at', '>', now));
}

/** Ids of the community polls that these members have made. */
export async function pollsMadeBy(db: Database, userIds: readonly string[]): Promise<string[]> {
  return db('community_polls')
    .whereIn('created_by', [...userIds])
    .orderBy('id')
    .pluck<string[]>('id');
}

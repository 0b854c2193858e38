import type { Database } from '#platform/database.ts';
import { GuestModel } from './community-poll.model.ts';

/** A guest of a private poll with the names that its creator sees. Moments in milliseconds. */
export interface GuestRow {
  readonly user_id: string;
  readonly invited_at: number;
  readonly accepted_at: number | null;
  readonly username: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** The guests of a poll, in the order in which they were invited. */
export async function guestsOf(db: Database, pollId: string): Promise<GuestRow[]> {
  return guests(db, pollId).orderBy(['guest.invited_at', 'guest.user_id']);
}

/** Ids of the guests of these polls, by poll, in the order in which they were invited. */
export async function guestIdsOf(
  db: Database,
  pollIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db('community_poll_guests')
    .whereIn('poll_id', [...pollIds])
    .orderBy(['poll_id', 'invited_at', 'user_id'])
    .select<{ poll_id: string; user_id: string }[]>('poll_id', 'user_id');
  const byPoll = Map.groupBy(rows, ({ poll_id }) => poll_id);
  return new Map([...byPoll].map(([id, guests]) => [id, guests.map(({ user_id }) => user_id)]));
}

/**
 * Who can be invited by this username or confirmed email (in the form that makes it unique): undefined for nobody, the
 * host, and who is a guest already, all found by one query.
 */
export async function findInvitable(
  db: Database,
  { pollId, host, key }: { pollId: string; host: string; key: string },
): Promise<string | undefined> {
  const [id] = await db('users')
    .where(
      (name) =>
        void name
          .where('username_key', key)
          .orWhere((email) => void email.where('email_key', key).whereNotNull('email_confirmed_at')),
    )
    .whereNot('id', host)
    .whereNotExists(
      db('community_poll_guests').where('poll_id', pollId).whereRaw('user_id = users.id').select(db.raw('1')),
    )
    .pluck<string[]>('id');
  return id;
}

/** Adds a member to a poll's guests, and answers the guest. */
export async function addGuest(
  trx: Database,
  { pollId, userId, now }: { pollId: string; userId: string; now: number },
): Promise<GuestRow | undefined> {
  await GuestModel.query(trx).insert({ poll_id: pollId, user_id: userId, invited_at: now });
  return guests(trx, pollId).where('guest.user_id', userId).first();
}

/** Holds a poll, so that one invitation after the other is counted; false when it is gone. */
export async function holdPoll(trx: Database, pollId: string, now: number): Promise<boolean> {
  return (await trx('community_polls').where({ id: pollId }).update({ updated_at: now })) > 0;
}

export async function countGuests(trx: Database, pollId: string): Promise<number> {
  return GuestModel.query(trx).where({ poll_id: pollId }).resultSize();
}

/** Takes somebody off the guests; false when that person was none. */
export async function removeGuest(db: Database, pollId: string, userId: string): Promise<boolean> {
  return (await GuestModel.query(db).deleteById([pollId, userId])) > 0;
}

/** Notes that a guest has opened the poll, the first time only. */
export async function noteOpened(db: Database, at: { pollId: string; userId: string; now: number }): Promise<void> {
  await GuestModel.query(db)
    .where({ poll_id: at.pollId, user_id: at.userId })
    .whereNull('accepted_at')
    .patch({ accepted_at: at.now });
}

function guests(db: Database, pollId: string) {
  return db('community_poll_guests as guest')
    .join('users', 'users.id', 'guest.user_id')
    .where('guest.poll_id', pollId)
    .select<GuestRow[]>(
      'guest.user_id',
      'guest.invited_at',
      'guest.accepted_at',
      'users.username',
      'users.first_name',
      'users.last_name',
    );
}

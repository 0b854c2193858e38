import { permissionsOf } from '#domain/poll-visibility.ts';
import type { GuardedPoll, Permissions } from '#domain/poll-visibility.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { guardedPolls } from './access.queries.ts';

/** A community poll that the asking person may see, and what that person may do with it. */
export interface Access {
  readonly pollId: string;
  readonly poll: GuardedPoll;
  readonly may: Permissions;
  /** The asking person is a guest who has never opened the poll. */
  readonly awaitsGuest: boolean;
}

/**
 * The one door to a community poll: every call about one comes through here first; where somebody else could change what
 * it goes by (guests), in the transaction that writes. Throws POLL_NOT_FOUND, PRIVATE_POLL_AUTH_REQUIRED or PRIVATE_POLL_ACCESS_DENIED.
 */
export async function accessTo(
  { db, now }: { db: Database; now: number },
  pollId: string,
  userId: string | null,
): Promise<Access> {
  const [found] = await guardedPolls(db, [pollId], userId);
  if (found === undefined) throw errors.pollNotFound();
  const { invited, opened, ...poll } = found;
  const may = permissionsOf(poll, { userId, invited }, now);
  if (!may.see) throw userId === null ? errors.privatePollAuthRequired() : errors.privatePollAccessDenied();
  return { pollId, poll, may, awaitsGuest: invited && !opened };
}

/** What those of these community polls ask that the member may see, by id. Everything else about them is for the door. */
export async function questionsSeenBy(
  { db, now }: { db: Database; now: number },
  pollIds: readonly string[],
  userId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const found = await guardedPolls(db, pollIds, userId);
  const seen = found.filter((poll) => permissionsOf(poll, { userId, invited: poll.invited }, now).see);
  return new Map(seen.map(({ id, question }) => [id, question]));
}

/** Refuses what the policy does not allow; throws FORBIDDEN. */
export function demand(allowed: boolean): void {
  if (!allowed) throw errors.forbidden();
}

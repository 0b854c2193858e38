import { permissionsOf } from '#domain/poll-visibility.ts';
import type { GuardedPoll, Permissions } from '#domain/poll-visibility.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { accessRows } from './community-polls.queries.ts';

/** A community poll that a member or visitor may see, and what that person may do with it. */
export interface Access {
  readonly pollId: string;
  readonly poll: GuardedPoll;
  readonly may: Permissions;
  /** The creator has blocked this person from commenting. */
  readonly blocked: boolean;
  /** This person is a guest who has not opened the poll yet. */
  readonly isFirstVisit: boolean;
}

/**
 * Authorizes access to a community poll; every call about one starts here. Where a concurrent change of guests matters,
 * it runs in the transaction that writes. Throws POLL_NOT_FOUND, PRIVATE_POLL_AUTH_REQUIRED, PRIVATE_POLL_ACCESS_DENIED.
 */
export async function accessTo(
  { db, now }: { db: Database; now: number },
  pollId: string,
  userId: string | null,
): Promise<Access> {
  const [found] = await accessRows(db, [pollId], userId);
  if (found === undefined) throw errors.pollNotFound();
  const { invited, blocked, opened, ...poll } = found;
  const may = permissionsOf(poll, { userId, invited, blocked }, now);
  if (!may.see && poll.takenDown) throw errors.pollNotFound();
  if (!may.see) throw userId === null ? errors.privatePollAuthRequired() : errors.privatePollAccessDenied();
  return { pollId, poll, may, blocked, isFirstVisit: invited && !opened };
}

/** The questions of the community polls that the member may see, by id. */
export async function questionsSeenBy(
  { db, now }: { db: Database; now: number },
  pollIds: readonly string[],
  userId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const found = await accessRows(db, pollIds, userId);
  const seen = found.filter(
    (poll) => permissionsOf(poll, { userId, invited: poll.invited, blocked: poll.blocked }, now).see,
  );
  return new Map(seen.map(({ id, question }) => [id, question]));
}

/** Throws FORBIDDEN when the policy does not allow an action. */
export function authorize(allowed: boolean): void {
  if (!allowed) throw errors.forbidden();
}

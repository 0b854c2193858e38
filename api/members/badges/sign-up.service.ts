import { record } from '#api/events/record.service.ts';
import { dayMs } from '#domain/badges/calendar.ts';
import type { Database } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';

/** Days after the first account until which members are early adopters, unless a date is configured. */
const earlyAdopterDays = 90;

/**
 * Records a sign-up in its transaction. The new member is an early adopter before `earlyUntil` (milliseconds), or, if
 * that is null, within {@link earlyAdopterDays} of the first account that someone can sign in to.
 */
export async function recordSignUp(
  trx: Database,
  userId: string,
  at: number,
  earlyUntil: number | null,
): Promise<void> {
  const first = await trx('users').whereNot({ password: dummyHash }).min({ at: 'created_at' }).first<{ at: number }>();
  const early = at < (earlyUntil ?? first.at + earlyAdopterDays * dayMs);
  const subject = { kind: 'member', id: userId };
  await record(trx, { type: 'member.joined', at, member: userId, subject, after: { early } });
}

import { normalizeEmail } from '#api/members/accounts/email-address.service.ts';
import { displayNameOf } from '#api/members/accounts/user.model.ts';
import { record } from '#api/events/record.service.ts';
import type { Outbox } from '#api/mail/outbox.service.ts';
import type { EmailInvite, Invite } from './invitations.contract.ts';
import { communityGuests } from '#contract/limits.ts';
import { emailPattern } from '#contract/schema.ts';
import { accountKey, usernameKeys } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import type { Attempts } from '#platform/attempts.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { communityApiTexts } from '#texts/community.ts';
import { accessTo, authorize } from './access.service.ts';
import { CommunityPollModel, GuestModel } from './community-poll.model.ts';
import { emailInvitesOf, inviteAddress, mailInvitation, mayMailInvitation } from './email-invites.service.ts';
import { findInvitable, guestsOf } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** What inviting needs. */
export interface InvitingContext extends CommunityContext {
  readonly mail: Outbox;
  readonly attempts: Attempts;
}

/** Guests of the caller's own private poll, in the order in which they were invited, then addresses that haven't accepted. */
export async function listInvites(
  context: CommunityContext,
  pollId: string,
  userId: string,
): Promise<(Invite | EmailInvite)[]> {
  await authorizeInviting(context, pollId, userId);
  const guests = (await guestsOf(context.db, pollId)).map(presentInvite);
  return [...guests, ...(await emailInvitesOf(context.db, pollId, context.clock.now()))];
}

/**
 * Invites the member with this username, or whoever reads the mail to this address, to the caller's own private poll. Throws
 * the same NOT_INVITABLE for an unknown name, oneself, and an existing guest. An address always gets the same answer and the
 * same mail, so that it does not reveal who has an account; without mail, it is NOT_INVITABLE. Throws RATE_LIMITED.
 */
export async function invite(
  context: InvitingContext,
  pollId: string,
  userId: string,
  usernameOrEmail: string,
): Promise<Invite | EmailInvite> {
  await authorizeInviting(context, pollId, userId);
  const { mail, attempts } = context;
  const email = emailIn(usernameOrEmail);
  if (email !== null && !mail.on) throw errors.notInvitable();
  const subject = accountKey(email ?? usernameOrEmail);
  const mayMail =
    email === null
      ? mail.on && isStorable(usernameOrEmail) && (await attempts.allow([['invitationMailTo', subject]]))
      : await mayMailInvitation(attempts, userId, subject);
  // No member has such a name, and PostgreSQL would refuse the query.
  if (!isStorable(usernameOrEmail)) throw errors.notInvitable();
  const now = context.clock.now();
  const guest = await context.db.transaction(async (trx) => {
    // Locks the poll, so that concurrent invitations are counted one after the other.
    if ((await CommunityPollModel.query(trx).findById(pollId).patch({ updated_at: now })) === 0)
      throw errors.pollNotFound();
    const addresses = (await emailInvitesOf(trx, pollId, now)).length;
    if ((await GuestModel.query(trx).where({ poll_id: pollId }).resultSize()) + addresses >= communityGuests)
      throw errors.validationFailed([
        { field: 'usernameOrEmail', message: communityApiTexts.guestsFull(communityGuests) },
      ]);
    if (email !== null) return inviteAddress(trx, { mail, now }, { pollId, creatorId: userId, email }, mayMail);
    const guestId = await findInvitable(trx, { pollId, creatorId: userId, keys: usernameKeys(usernameOrEmail) });
    if (guestId === undefined) return undefined;
    await GuestModel.query(trx).insert({ poll_id: pollId, user_id: guestId, invited_at: now });
    const subject = { kind: 'community-poll', id: pollId };
    await record(trx, { type: 'invitation.sent', at: now, subject, account: guestId });
    if (mayMail) await mailInvitation(trx, mail, guestId, pollId);
    return await GuestModel.query(trx).findById([pollId, guestId]).withGraphFetched('user(publicColumns)');
  });
  if (!guest) throw errors.notInvitable();
  return guest instanceof GuestModel ? presentInvite(guest) : guest;
}

/** What was typed, if it is an email address and no username; throws VALIDATION_FAILED for one that can't exist. */
function emailIn(typed: string): string | null {
  if (!isStorable(typed) || !accountKey(typed).includes('@')) return null;
  const address = typed.trim();
  if (!new RegExp(emailPattern, 'u').test(address)) throw errors.notInvitable();
  return normalizeEmail(address, 'usernameOrEmail');
}

/**
 * Withdraws an invitation: from now on the member can't see the poll, vote, or comment on it. Revokes the link, which would
 * let the member, or another account of the same person, in again.
 */
export async function removeInvite(
  context: CommunityContext,
  pollId: string,
  userId: string,
  guestId: string,
): Promise<void> {
  await authorizeInviting(context, pollId, userId);
  await context.db.transaction(async (trx) => {
    if ((await trx('email_invites').where({ poll_id: pollId, id: guestId }).del()) > 0) return;
    if ((await GuestModel.query(trx).deleteById([pollId, guestId])) === 0) throw errors.notFound();
    await trx('invite_links').where({ poll_id: pollId }).delete();
  });
}

/** Allows the creator of a private poll only; throws what `accessTo` throws, and FORBIDDEN. */
export async function authorizeInviting(
  { db, clock }: CommunityContext,
  pollId: string,
  userId: string,
): Promise<void> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  // Only the creator may delete; without `invite`, the poll is not private.
  if (may.delete && !may.invite) throw errors.forbidden(communityApiTexts.notPrivate);
  authorize(may.invite);
}

/** A guest as the creator of the poll sees one. */
function presentInvite({ user, invited_at, accepted_at }: GuestModel): Invite {
  return {
    userId: user.id,
    name: displayNameOf(user),
    username: user.username,
    invitedAt: iso(invited_at),
    acceptedAt: isoOrNull(accepted_at),
  };
}

import type { Invite } from '#contract/community-poll.ts';
import { accountKey } from '#domain/account-rules.ts';
import { isStorable } from '#domain/comment-text.ts';
import { errors } from '#platform/errors.ts';
import { communityApiTexts } from '#texts/community.ts';
import { accessTo, demand } from './access.service.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { presentInvite } from './invite.presenter.ts';
import { addGuest, countGuests, findInvitable, guestsOf, holdPoll, removeGuest } from './invites.queries.ts';

/** Guests that one private poll can have. */
export const communityGuests = 200;

/** Who is invited to an own private poll, in the order of the invitations. */
export async function listInvites(context: CommunityContext, pollId: string, userId: string): Promise<Invite[]> {
  await demandHost(context, pollId, userId);
  return (await guestsOf(context.db, pollId)).map(presentInvite);
}

/**
 * Invites the member who has this username or confirmed email address to an own private poll. Throws the one NOT_INVITABLE for
 * a name that nobody has, for oneself, and for who is invited already, so that names cannot be told apart by it.
 */
export async function invite(
  context: CommunityContext,
  pollId: string,
  userId: string,
  usernameOrEmail: string,
): Promise<Invite> {
  await demandHost(context, pollId, userId);
  // No member has such a name, and PostgreSQL would not even look.
  if (!isStorable(usernameOrEmail)) throw errors.notInvitable();
  const now = context.clock.now();
  const guest = await context.db.transaction(async (trx) => {
    if (!(await holdPoll(trx, pollId, now))) throw errors.pollNotFound();
    if ((await countGuests(trx, pollId)) >= communityGuests)
      throw errors.validationFailed([
        { field: 'usernameOrEmail', message: communityApiTexts.guestsFull(communityGuests) },
      ]);
    const guestId = await findInvitable(trx, { pollId, host: userId, key: accountKey(usernameOrEmail) });
    return guestId === undefined ? undefined : addGuest(trx, { pollId, userId: guestId, now });
  });
  if (!guest) throw errors.notInvitable();
  return presentInvite(guest);
}

/** Takes an invitation back: from now on this person neither sees the poll nor votes or comments on it. */
export async function removeInvite(
  context: CommunityContext,
  pollId: string,
  userId: string,
  guestId: string,
): Promise<void> {
  await demandHost(context, pollId, userId);
  if (!(await removeGuest(context.db, pollId, guestId))) throw errors.notFound();
}

async function demandHost({ db, clock }: CommunityContext, pollId: string, userId: string): Promise<void> {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  // Whoever may delete it has made it.
  if (may.delete && !may.invite) throw errors.forbidden(communityApiTexts.notPrivate);
  demand(may.invite);
}

import { randomBytes } from 'node:crypto';
import { lockActiveMember } from '#api/members/accounts/suspension.service.ts';
import type { CreatedInviteLink, InviteLink, NewInviteLink } from './invitations.contract.ts';
import { communityGuests } from '#contract/limits.ts';
import { iso } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { communityApiTexts } from '#texts/community.ts';
import { CommunityPollModel, GuestModel } from './community-poll.model.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { mailedInvite } from './email-invites.service.ts';
import { authorizeInviting } from './invites.service.ts';

const dayMs = 86_400_000;

/** A row of `invite_links`; times in milliseconds. */
type LinkRow = Row<'invite_links'>;

/** The link to the caller's own private poll, also when it has expired or is used up; null if there is none. */
export async function inviteLinkOf(
  context: CommunityContext,
  pollId: string,
  userId: string,
): Promise<InviteLink | null> {
  await authorizeInviting(context, pollId, userId);
  const row = await context.db('invite_links').where({ poll_id: pollId }).first();
  return row ? presentLink(row) : null;
}

/** Creates a link that members join the caller's own private poll with; it replaces an earlier one. */
export async function createInviteLink(
  context: CommunityContext,
  pollId: string,
  { userId, publicUrl, days, maxUses }: NewInviteLink & { readonly userId: string; readonly publicUrl: string },
): Promise<CreatedInviteLink> {
  await authorizeInviting(context, pollId, userId);
  const now = context.clock.now();
  const secret = randomBytes(32).toString('base64url');
  const row: LinkRow = {
    poll_id: pollId,
    digest: hashSecret(secret),
    created_at: now,
    expires_at: now + days * dayMs,
    uses: 0,
    max_uses: maxUses,
  };
  await context.db.transaction(async (trx) => {
    if (!(await CommunityPollModel.query(trx).findById(pollId).select('id').forKeyShare())) throw errors.pollNotFound();
    await trx('invite_links').insert(row).onConflict('poll_id').merge();
  });
  // The fragment is not sent to servers, which may log addresses.
  return { url: `${publicUrl}/community-polls/join#invite=${secret}`, link: presentLink(row) };
}

/** Revokes the link to the caller's own private poll, if there is one; who joined with it stays a guest. */
export async function revokeInviteLink(context: CommunityContext, pollId: string, userId: string): Promise<void> {
  await authorizeInviting(context, pollId, userId);
  await context.db('invite_links').where({ poll_id: pollId }).delete();
}

/**
 * Makes the member a guest of the poll whose link has this secret, and returns its id; the creator and guests don't use the
 * link up. Throws INVALID_INVITE_LINK for a link that is unknown, revoked, expired, or used up, or whose poll was taken down
 * or has lost its creator.
 */
export async function joinPoll({ db, clock }: CommunityContext, userId: string, secret: string): Promise<string> {
  const now = clock.now();
  const valid = (trx: Database) =>
    trx('invite_links')
      .where({ digest: hashSecret(secret) })
      .where('expires_at', '>', now);
  const mailed = (trx: Database) => mailedInvite(trx, secret, now);
  return db.transaction(async (trx) => {
    // Accounts are locked before polls, as when one is deleted.
    await lockActiveMember(trx, userId, now);
    // Locks the poll, so that its guests are counted one after the other.
    const poll = await CommunityPollModel.query(trx)
      .where(
        (poll) => void poll.whereIn('id', valid(trx).select('poll_id')).orWhereIn('id', mailed(trx).select('poll_id')),
      )
      .where({ visibility: 'private', taken_down_by: null })
      .whereNotNull('created_by')
      .forUpdate()
      .first();
    if (!poll) throw errors.invalidInviteLink();
    const guests = GuestModel.query(trx).where({ poll_id: poll.id });
    if (poll.created_by === userId) return poll.id;
    // A guest uses it up, too: withdrawn later, nobody gets in again with it.
    const accepted = await mailed(trx).where({ poll_id: poll.id }).del();
    if (await guests.clone().findOne({ user_id: userId })) return poll.id;
    const used = await valid(trx)
      .where({ poll_id: poll.id })
      .where('uses', '<', trx.ref('max_uses'))
      .increment('uses', accepted === 0 ? 1 : 0);
    if (accepted + used === 0) throw errors.invalidInviteLink();
    if ((await guests.resultSize()) >= communityGuests)
      throw errors.validationFailed([{ field: 'token', message: communityApiTexts.pollFull }]);
    await GuestModel.query(trx).insert({ poll_id: poll.id, user_id: userId, invited_at: now });
    return poll.id;
  });
}

/** The links to polls of this member, for their own export. */
export async function inviteLinksOf(db: Database, userId: string): Promise<(InviteLink & { pollId: string })[]> {
  const rows = await db('invite_links')
    .whereIn('poll_id', db('community_polls').where({ created_by: userId }).select('id'))
    .orderBy(['created_at', 'poll_id'])
    .select();
  return rows.map((row) => ({ pollId: row.poll_id, ...presentLink(row) }));
}

const presentLink = ({ created_at, expires_at, uses, max_uses }: LinkRow): InviteLink => ({
  createdAt: iso(created_at),
  expiresAt: iso(expires_at),
  uses,
  maxUses: max_uses,
});

import { removePicture } from '#api/members/accounts/pictures.service.ts';
import { createResetLink, findMembers } from '#api/members/accounts/reset-links.service.ts';
import type { MemberSummary, ResetLink } from './members.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import type { Operator } from '#platform/operator.ts';

/** Members by username or email address, as the operator sees them. */
export async function listMembers(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  name: string,
): Promise<{ members: MemberSummary[] }> {
  return { members: await findMembers(db, name, clock.now()) };
}

/** Removes the picture of a member, and logs that. Throws NOT_FOUND. */
export async function removeMemberPicture(
  context: Parameters<typeof removePicture>[0] & { readonly log: Logger },
  operator: Operator,
  userId: string,
): Promise<undefined> {
  await removePicture(context, userId, operator);
  context.log.warn({ user: userId }, 'the operator removed the picture of a member');
}

/** Creates a password reset link for a member, and logs that. Throws NOT_FOUND. */
export async function makeResetLink(
  context: Parameters<typeof createResetLink>[0] & { readonly log: Logger },
  operator: Operator,
  userId: string,
): Promise<ResetLink> {
  const link = await createResetLink(context, userId, { maker: 'page', actor: operator });
  context.log.warn({ user: userId }, 'the operator created a password reset link');
  return link;
}

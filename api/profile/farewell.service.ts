import type { UserDeletion } from '#contract/account.ts';
import { accountKey } from '#domain/account-rules.ts';
import { errors } from '#platform/errors.ts';
import { communityApiTexts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { confirmPassword, removeAccount } from '#api/accounts/accounts.service.ts';
import type { AccountsContext } from '#api/accounts/accounts.service.ts';
import { deleteCommentsOf } from '#api/comments/comments.service.ts';
import { closePollsOf } from '#api/community-polls/ending.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { takeTurnInLeaving } from './profile.queries.ts';

/**
 * Deletes an account. In one transaction its polls are closed and stay as by a former member, its comments go and
 * are counted off, its votes stay counted as nobody's, its sessions, invitations and badges go. Throws
 * WRONG_PASSWORD, VALIDATION_FAILED when the typed username is another, RATE_LIMITED, OVERLOADED.
 */
export async function deleteAccount(
  context: AccountsContext,
  userId: string,
  { username, password }: UserDeletion,
): Promise<void> {
  const { db, clock } = context;
  const user = await confirmPassword(context, userId, password);
  if (accountKey(username) !== user.username_key)
    throw errors.validationFailed(fieldErrors([{ keyword: 'mismatch', instancePath: '/username', params: {} }]));
  await db.transaction(async (trx) => {
    await takeTurnInLeaving(trx);
    // Ballots before the account, as a vote takes them, so that neither waits for the other in a circle.
    await closePollsOf(trx, userId, clock.now());
    await deleteCommentsOf(trx, userId);
    // Nothing can be added for this account any more; a poll that was made in between is closed too.
    const isShown = await closePollsOf(trx, userId, clock.now());
    await removeAccount(trx, userId);
    if (isShown) await requestBuild(trx, clock, communityApiTexts.buildReasons.creatorLeft);
  });
}

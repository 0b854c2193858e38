import type { UserDeletion } from '#api/members/accounts/accounts.contract.ts';
import { accountKey } from '#domain/account-rules.ts';
import { errors } from '#platform/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { confirmPassword, removeAccount } from '#api/members/accounts/accounts.service.ts';
import type { AccountsContext } from '#api/members/accounts/accounts.service.ts';
import { lockAccountDeletion } from '#api/members/accounts/suspension.service.ts';
import { deleteCommentsOf } from '#api/comments/comments.service.ts';
import { closePollsOf, pollIdsOf } from '#api/polls/community/ending.service.ts';
import { forgetDecisions } from '#api/moderation/decisions.service.ts';
import { refuseLastOwner } from '#api/admin/operators/operators.service.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';

/**
 * Deletes an account. In one transaction its polls are closed and remain as by a former member, its comments are deleted,
 * its votes stay counted without a name, and everything else about it is deleted. Throws WRONG_PASSWORD,
 * VALIDATION_FAILED if the typed username is not the member's, CONFLICT for the last owner of the site, RATE_LIMITED,
 * OVERLOADED.
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
    await lockAccountDeletion(trx);
    // Ballots before the account, in the order in which a vote locks them, to prevent deadlocks.
    await lockBallots(trx, await pollIdsOf(trx, [userId]));
    await deleteCommentsOf(trx, userId);
    // Nothing can be added for this account any more; polls that were created meanwhile are closed too.
    await closePollsOf(trx, userId, clock.now());
    await forgetDecisions(trx, userId);
    await removeAccount(trx, userId).catch(refuseLastOwner);
  });
}

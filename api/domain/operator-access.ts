import type { ModerationAction, OperatorPermission, OperatorRole } from '#contract/vocabulary.ts';

/** Hours for which a confirmed session opens the admin pages, and minutes for which it allows dangerous actions. */
export const operatorHours = 12;
export const dangerousMinutes = 10;

/** Whether a role may call endpoints with this permission; owners may do everything. */
export const roleAllows = (role: OperatorRole, permission: OperatorPermission): boolean =>
  role === 'owner' || permission === 'operator' || permission === role;

/** Whether a decision suspends or deletes more than one thing, which is as dangerous as the actions the contract names. */
export const isBulkDecision = ({
  action,
  ids,
  scope = 'each',
}: {
  readonly action: ModerationAction;
  readonly ids: readonly string[];
  readonly scope?: string;
}): boolean => (action === 'suspend' || action === 'delete') && (ids.length > 1 || scope !== 'each');

/** When the member of a session last gave a password or passkey, in milliseconds. */
export interface SessionConfirmations {
  readonly hasPasskey: boolean;
  readonly passwordAt: number | null;
  readonly passkeyAt: number | null;
}

/** What an operator has to give again: a passkey, or either. */
export type MissingConfirmation = 'passkey' | 'any';

/**
 * What an operator has to give again before a call, at the moment `now` in milliseconds; null: nothing. The admin pages of an
 * operator who has a passkey opens only with a passkey, which itself asks for a fingerprint, face, or PIN; inside the
 * admin pages, the password is enough to confirm a dangerous action.
 */
export function missingConfirmation(
  { hasPasskey, passwordAt, passkeyAt }: SessionConfirmations,
  isDangerous: boolean,
  now: number,
): MissingConfirmation | null {
  const last = Math.max(passwordAt ?? -Infinity, passkeyAt ?? -Infinity);
  const entered = hasPasskey ? (passkeyAt ?? -Infinity) : last;
  if (now - entered >= operatorHours * 3_600_000) return hasPasskey ? 'passkey' : 'any';
  return isDangerous && now - last >= dangerousMinutes * 60_000 ? 'any' : null;
}

import type { OperatorRole } from '#contract/vocabulary.ts';
import type { SessionConfirmations } from '#domain/operator-access.ts';
import type { Database } from '#platform/database.ts';
import type { Operator } from '#platform/operator.ts';

/** An operator and the times of the session; `passkey` is the id of one. */
interface SessionRow {
  readonly role: OperatorRole;
  readonly username: string;
  readonly password_at: number | null;
  readonly passkey_at: number | null;
  readonly passkey: string | null;
}

/** The role and confirmations of an operator’s session; undefined when the member is no operator, or the session has ended. */
export async function findOperator(
  db: Database,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<(Operator & { readonly id: string } & SessionConfirmations) | undefined> {
  const row = await db('operators as o')
    .join('users as u', 'u.id', 'o.user_id')
    .join('sessions as s', 's.user_id', 'o.user_id')
    .where({ 'o.user_id': userId, 's.sid': sessionId })
    .select('o.role', 'u.username', 's.password_at', 's.passkey_at')
    .select(db.raw('(select min(id) from passkeys where user_id = o.user_id) as passkey'))
    .first<SessionRow | undefined>();
  return (
    row && {
      ...{ id: userId, name: row.username, role: row.role },
      ...{ hasPasskey: row.passkey !== null, passwordAt: row.password_at, passkeyAt: row.passkey_at },
    }
  );
}

/** Which of these members are operators, and so can’t be suspended. */
export async function operatorsAmong(db: Database, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await db('operators').whereIn('user_id', userIds).pluck('user_id'));
}

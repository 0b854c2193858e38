import { randomBytes } from 'node:crypto';
import { lockActiveMember } from '#api/members/accounts/suspension.service.ts';
import { displayNameOf } from '#api/members/accounts/user.model.ts';
import { record } from '#api/events/record.service.ts';
import type { OperatorInvitationLink, OperatorSummary, Operators } from './operators.contract.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import { nameFindings } from '#domain/account-rules.ts';
import { iso } from '#platform/clock.ts';
import { isUniqueViolation, removeExpired } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors, messageOf } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { operatorsApiTexts as texts } from '#texts/operators.ts';
import type { Operator } from '#platform/operator.ts';
import { beginAsOwner, isSharedPasswordOn } from './shared-password.service.ts';
import type { OperatorsContext } from './tokens.service.ts';

/** Milliseconds for which an invitation can be accepted. */
const invitationMs = 7 * 86_400_000;

/** A row of `operators` with its member. */
type OperatorRow = Pick<Row<'operators'>, 'user_id' | 'role' | 'created_at' | 'invited_by'> &
  Pick<Row<'users'>, 'username' | 'first_name' | 'last_name'>;

/** A row of `operator_invitations`; times in milliseconds. */
type InvitationRow = Pick<Row<'operator_invitations'>, 'id' | 'role' | 'made_by' | 'created_at' | 'expires_at'>;

/** Operators, open invitations, and whether the shared password works; `userId` is the caller’s. */
export async function listOperators(db: Database, userId: string | null, now: number): Promise<Operators> {
  const rows = await db('operators as o')
    .join('users as u', 'u.id', 'o.user_id')
    .orderBy(['o.created_at', 'o.user_id'])
    .select<OperatorRow[]>(
      ...['o.user_id', 'o.role', 'o.created_at', 'o.invited_by', 'u.username', 'u.first_name', 'u.last_name'],
    );
  const owners = await db('passkeys').whereIn('user_id', db('operators').select('user_id')).pluck('user_id');
  const operators = rows.map<OperatorSummary>((row) => ({
    id: row.user_id,
    username: row.username,
    name: displayNameOf(row),
    role: row.role,
    createdAt: iso(row.created_at),
    invitedBy: row.invited_by,
    passkeys: owners.filter((one) => one === row.user_id).length,
    you: row.user_id === userId,
  }));
  const invitations = await db('operator_invitations')
    .where('expires_at', '>', now)
    .orderBy('id')
    .select('id', 'role', 'made_by', 'created_at', 'expires_at');
  return {
    operators,
    invitations: invitations.map(presentInvitation),
    sharedPassword: await isSharedPasswordOn(db),
  };
}

const presentInvitation = ({ id, role, made_by, created_at, expires_at }: InvitationRow) => ({
  ...{ id, role, madeBy: made_by, createdAt: iso(created_at), expiresAt: iso(expires_at) },
});

/** The role of a member who is an operator, for the export of the member’s data; null for others. */
export async function operatorExportOf(db: Database, userId: string) {
  const row = await db('operators').where({ user_id: userId }).first();
  return row === undefined ? null : { role: row.role, createdAt: iso(row.created_at), invitedBy: row.invited_by };
}

/** Makes an invitation link; only a digest of its secret is stored. Throws what `beginAsOwner` throws. */
export async function inviteOperator(
  { db, clock, config }: OperatorsContext,
  operator: Operator,
  role: OperatorRole,
): Promise<OperatorInvitationLink> {
  const now = clock.now();
  const secret = randomBytes(32).toString('base64url');
  return db.transaction(async (trx) => {
    await beginAsOwner(trx, operator);
    const [row] = await trx('operator_invitations')
      .insert({
        digest: hashSecret(secret),
        role,
        made_by: operator.name,
        made_by_id: operator.id,
        created_at: now,
        expires_at: now + invitationMs,
      })
      .returning(['id', 'role', 'made_by', 'created_at', 'expires_at']);
    await record(trx, {
      at: now,
      actor: operator,
      type: 'operator.invite',
      subject: { kind: 'invitation', id: String(row!.id) },
      after: { role },
    });
    // The fragment is not sent to servers, which may log addresses.
    return { ...presentInvitation(row!), url: `${config.publicUrl}/admin/settings#invitation=${secret}` };
  });
}

/** Deletes an invitation and returns it; undefined if there is none, or another transaction was faster. */
async function takeInvitation(
  trx: Database,
  which: { readonly id: number } | { readonly digest: string },
): Promise<InvitationRow | undefined> {
  const row = await trx('operator_invitations').where(which).first();
  return row && (await trx('operator_invitations').where(which).delete()) > 0 ? row : undefined;
}

/** Revokes an open invitation. Throws NOT_FOUND. */
export async function revokeInvitation(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  operator: Operator,
  id: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    const row = await takeInvitation(trx, { id });
    if (row === undefined) throw errors.notFound();
    await record(trx, {
      at: clock.now(),
      actor: operator,
      type: 'operator.revoke-invitation',
      subject: { kind: 'invitation', id: String(id) },
      before: { role: row.role, madeBy: row.made_by },
    });
  });
}

/** What an invitation is for, by its secret. Throws INVALID_INVITATION. */
export async function invitedRole(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  secret: string,
): Promise<{ role: OperatorRole }> {
  const row = await db('operator_invitations')
    .where({ digest: hashSecret(secret) })
    .where('expires_at', '>', clock.now())
    .first('role');
  if (row === undefined) throw errors.invalidInvitation();
  return { role: row.role };
}

/**
 * Makes a member an operator with the secret of an invitation, which is used up. Throws INVALID_INVITATION, CONFLICT if the
 * member is an operator already, ACCOUNT_SUSPENDED.
 */
export async function acceptInvitation(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  userId: string,
  secret: string,
): Promise<{ role: OperatorRole }> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const member = await lockMember(trx, userId, now);
    const invitation = await takeInvitation(trx, { digest: hashSecret(secret) });
    if (invitation === undefined || invitation.expires_at <= now) throw errors.invalidInvitation();
    const { role, made_by: invitedBy } = invitation;
    await addOperator(trx, { userId, role, invitedBy, now }).catch((error: unknown) => {
      // The transaction, and so the use of the invitation, is rolled back.
      if (isUniqueViolation(error)) throw errors.conflict(texts.isOperator);
      throw error;
    });
    await record(trx, {
      at: now,
      actor: { id: userId, name: member.username },
      type: 'operator.accept',
      subject: { kind: 'operator', id: userId },
      after: { username: member.username, role, invitedBy },
    });
    return { role };
  });
}

/** Makes a member an owner, as the holder of the shared password. Throws ACCOUNT_SUSPENDED, UNAUTHENTICATED. */
export async function becomeOwner(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  operator: Operator,
  userId: string | null,
): Promise<void> {
  if (userId === null) throw errors.unauthenticated();
  const now = clock.now();
  await db.transaction(async (trx) => {
    const member = await lockMember(trx, userId, now);
    const former = await trx('operators').where({ user_id: userId }).forUpdate().first();
    if (former?.role === 'owner') return;
    if (former) await trx('operators').where({ user_id: userId }).update({ role: 'owner' });
    else await addOperator(trx, { userId, role: 'owner', invitedBy: operator.name, now });
    await record(trx, {
      at: now,
      actor: operator,
      type: 'operator.become-owner',
      subject: { kind: 'operator', id: userId },
      before: former && { role: former.role },
      after: { username: member.username, role: 'owner' },
    });
  });
}

/** A member who may become an operator, and can’t be suspended or deleted until the transaction ends. */
async function lockMember(trx: Database, userId: string, now: number) {
  const member = await lockActiveMember(trx, userId, now);
  // Logs use such names for others than members; accounts that are older than the rule may have them.
  if (nameFindings({ username: member.username }).length > 0) throw errors.conflict(texts.reservedName);
  return member;
}

const addOperator = (
  trx: Database,
  { userId, role, invitedBy, now }: { userId: string; role: OperatorRole; invitedBy: string; now: number },
) => trx('operators').insert({ user_id: userId, role, created_at: now, invited_by: invitedBy });

/** Changes the role of an operator, or with null takes their access away. Throws NOT_FOUND, CONFLICT for the last owner. */
export async function changeRole(
  { db, clock }: Pick<OperatorsContext, 'db' | 'clock'>,
  operator: Operator,
  { userId, role }: { readonly userId: string; readonly role: OperatorRole | null },
): Promise<void> {
  const change = db.transaction(async (trx) => {
    const found = await trx('operators as o')
      .join('users as u', 'u.id', 'o.user_id')
      .where('o.user_id', userId)
      .first<Pick<OperatorRow, 'role' | 'username'> | undefined>('o.role', 'u.username');
    if (found === undefined) throw errors.notFound();
    if (found.role === role) return;
    const own = trx('operators').where({ user_id: userId });
    if ((await (role === null ? own.delete() : own.update({ role }))) === 0) throw errors.notFound();
    if (role !== null && role !== 'owner')
      for (const table of ['api_tokens', 'operator_invitations'])
        await trx(table).where({ made_by_id: userId }).delete();
    await record(trx, {
      at: clock.now(),
      actor: operator,
      type: role === null ? 'operator.remove' : 'operator.change-role',
      subject: { kind: 'operator', id: userId },
      before: { username: found.username, role: found.role },
      after: role === null ? undefined : { role },
    });
  });
  await change.catch(refuseLastOwner);
}

/** Throws CONFLICT for the error of the database’s rule that there is always an owner, otherwise the error itself. */
export function refuseLastOwner(error: unknown): never {
  if (messageOf(error).includes('the last owner must stay')) throw errors.conflict(texts.lastOwner);
  throw error;
}

/** Deletes invitations whose time is up. */
export async function removeOldInvitations(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'operator_invitations', key: 'id', column: 'expires_at' }, now);
}

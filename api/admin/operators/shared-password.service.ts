import { record } from '#api/events/record.service.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { operatorsApiTexts as texts } from '#texts/operators.ts';
import type { Operator } from '#platform/operator.ts';

const setting = 'shared-password';

/** Whether the shared password opens the admin pages. */
export async function isSharedPasswordOn(db: Database): Promise<boolean> {
  const row = await db('operator_settings').where({ name: setting }).first('value');
  return row?.value !== 'off';
}

/** Whether somebody could open the admin pages without the shared password. */
export async function hasOwner(db: Database): Promise<boolean> {
  return (await db('operators').where({ role: 'owner' }).first('user_id')) !== undefined;
}

/**
 * Begins to write as an owner, who stays one, and the shared password on, until the transaction ends. Throws FORBIDDEN when
 * the caller is no owner any more, ADMIN_REQUIRED when the shared password was turned off.
 */
export async function beginAsOwner(trx: Database, operator: Operator): Promise<void> {
  if (operator.id === null) {
    if (!isSqlite(trx)) await trx.raw('lock table operator_settings in share mode');
    if (!(await isSharedPasswordOn(trx))) throw errors.adminRequired(texts.sharedPasswordOff);
    return;
  }
  const maker = await trx('operators').where({ user_id: operator.id }).forUpdate().first('role');
  if (maker?.role !== 'owner') throw errors.forbidden(texts.role);
}

/** Turns the shared password on or off, and logs that; off, what was made with it ends. Does nothing if it is so already. */
export async function switchSharedPassword(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: Pick<Operator, 'id' | 'name'>,
  on: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    const before = await isSharedPasswordOn(trx);
    if (before === on) return;
    await trx('operator_settings')
      .insert({ name: setting, value: on ? 'on' : 'off' })
      .onConflict('name')
      .merge();
    // Members who knew the password may have made them.
    if (!on)
      for (const table of ['api_tokens', 'operator_invitations']) await trx(table).where({ made_by_id: null }).delete();
    const subject = { kind: 'setting', id: setting };
    const action = 'setting.change';
    await record(trx, { at: clock.now(), actor, type: action, subject, before, after: on });
  });
}

/**
 * Turns the shared password on or off. Throws CONFLICT when the caller would turn it off without an account of an owner, or
 * with one that has neither a passkey nor recovery codes.
 */
export async function setSharedPassword(
  context: { readonly db: Database; readonly clock: Clock },
  operator: Operator,
  on: boolean,
): Promise<void> {
  if (!on) {
    if (operator.id === null) throw errors.conflict(texts.notAsYourself);
    const ways = await Promise.all(
      ['passkeys', 'recovery_codes'].map((table) => context.db(table).where({ user_id: operator.id }).first('user_id')),
    );
    if (ways.every((one) => one === undefined)) throw errors.conflict(texts.noWayBack);
  }
  await switchSharedPassword(context, operator, on);
}

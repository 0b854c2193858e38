import { recordAudit } from '#api/audit/audit.service.ts';
import type { Clock } from '#platform/clock.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { operatorsApiTexts as texts } from '#texts/operators.ts';
import type { Operator } from '#platform/operator.ts';

const setting = 'shared-password';

/** Whether the shared password opens the desk. */
export async function isSharedPasswordOn(db: Database): Promise<boolean> {
  const row = await db('operator_settings').where({ name: setting }).first<{ value: string } | undefined>('value');
  return row?.value !== 'off';
}

/** Whether somebody could open the desk without the shared password. */
export async function hasOwner(db: Database): Promise<boolean> {
  return (await db('operators').where({ role: 'owner' }).first('user_id')) !== undefined;
}

/** Turns the shared password on or off, and logs that; does nothing if it is so already. */
export async function switchSharedPassword(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: Pick<Operator, 'id' | 'name'>,
  on: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    await beginWriting(trx);
    const before = await isSharedPasswordOn(trx);
    if (before === on) return;
    await trx('operator_settings')
      .insert({ name: setting, value: on ? 'on' : 'off' })
      .onConflict('name')
      .merge();
    const subject = { kind: 'setting', id: setting };
    const action = 'setting.change';
    await recordAudit(trx, { at: clock.now(), actor, action, subject, before, after: on });
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

import { isSuspended, UserModel } from '#api/members/accounts/user.model.ts';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import type { ModerationDecision, ModerationEntry } from './moderation.contract.ts';
import type { ModerationAction } from '#contract/vocabulary.ts';
import { trimText } from '#domain/visible-text.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { moderationApiTexts as texts } from '#texts/moderation.ts';

/** Days for which the audit log keeps a decision. */
const logDays = 365;
/** Decisions that a member sees. */
const decisionsListed = 200;
const appealable: readonly ModerationAction[] = ['hide', 'delete', 'close', 'suspend'];

/** A decision as its member and moderators see it. */
export function presentAction(row: Row<'moderation_actions'>): Omit<ModerationEntry, 'actor' | 'subject' | 'member'> {
  const { id, action, kind, label, reason, appeal, granted, decision_reason: decisionReason } = row;
  return {
    ...{ id, action, kind, label, reason, createdAt: iso(row.created_at) },
    ...{ until: isoOrNull(row.until), endedAt: isoOrNull(row.ended_at) },
    ...{
      appeal,
      appealedAt: isoOrNull(row.appealed_at),
      granted: granted === null ? null : Boolean(granted),
      decisionReason,
    },
  };
}

/** What moderators decided about a member and the member’s content, newest first, and whether the member is suspended. */
export async function decisionsOf(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userId: string,
): Promise<ResponseOf<'moderationDecisions'>> {
  const member = await UserModel.query(db).findById(userId).select('suspended_at', 'suspended_until');
  if (!member) throw errors.unauthenticated();
  const suspended = isSuspended(member, clock.now());
  const rows = await db('moderation_actions')
    .where({ member_id: userId })
    .whereNot({ action: 'dismiss' })
    .orderBy('id', 'desc')
    .limit(decisionsListed)
    .select('*');
  const decisions: ModerationDecision[] = rows.map((row) => ({ ...presentAction(row), mayAppeal: mayAppeal(row) }));
  return { decisions, suspended, suspendedUntil: suspended ? isoOrNull(member.suspended_until) : null };
}

const mayAppeal = ({ action, appealed_at, ended_at }: Row<'moderation_actions'>) =>
  appealable.includes(action) && appealed_at === null && ended_at === null;

/** Records a member’s one appeal of a decision. Throws NOT_FOUND, CONFLICT when it can’t be appealed any more. */
export async function appeal(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userId: string,
  id: number,
  written: string,
): Promise<void> {
  const text = trimText(written);
  if (text === '')
    throw errors.validationFailed(
      fieldErrors([{ keyword: 'required', instancePath: '', params: { missingProperty: 'text' } }]),
    );
  const own = { id, member_id: userId };
  const changed = await db('moderation_actions')
    .where(own)
    .whereIn('action', appealable)
    .whereNull('appealed_at')
    .whereNull('ended_at')
    .update({ appeal: text, appealed_at: clock.now() });
  if (changed > 0) return;
  throw (await db('moderation_actions').where(own).first('id')) ? errors.conflict(texts.noAppeal) : errors.notFound();
}

/** How notifications refer to an entry of the audit log. */
export const actionKey = (id: number) => `action:${id}`;

/** What moderators decided, by the subjects of the notifications about it. */
export async function decisionsByKey(
  db: Database,
  notifications: readonly { readonly subject: string }[],
): Promise<ReadonlyMap<string, Pick<ModerationEntry, 'action' | 'kind' | 'granted'>>> {
  const ids = notifications.flatMap(({ subject }) => /^action:(\d+)$/.exec(subject)?.[1] ?? []).map(Number);
  if (ids.length === 0) return new Map();
  const rows = await db('moderation_actions').whereIn('id', ids).select('*');
  return new Map(
    rows.map((row) => {
      const { action, kind, granted } = presentAction(row);
      return [actionKey(row.id), { action, kind, granted }];
    }),
  );
}

/** Removes a member’s words from the audit log, in the transaction that deletes the account. */
export async function forgetDecisions(trx: Database, userId: string): Promise<void> {
  const nothing = { appeal: null, appealed_at: null, granted: null, decided_at: null, decision_reason: null };
  await trx('moderation_actions')
    .where({ member_id: userId })
    .update({ label: null, ...nothing });
}

/** Deletes decisions that the audit log no longer keeps; suspensions in effect and undecided appeals stay. */
export async function sweepDecisions(db: Database, now: number): Promise<void> {
  const rows = { table: 'moderation_actions', key: 'id', column: 'created_at' };
  await removeExpired(db, rows, now - logDays * 86_400_000, (old) => {
    void old.whereNot(
      (suspension) =>
        void suspension
          .where('action', 'suspend')
          .whereNotNull('member_id')
          .whereNull('ended_at')
          .where((end) => void end.whereNull('until').orWhere('until', '>', now)),
    );
    void old.whereNot((appeal) => void appeal.whereNotNull('appealed_at').whereNull('decided_at'));
  });
}

import type { AuditAction } from '#contract/audit.ts';
import type { Database } from '#platform/database.ts';
import type { Operator } from '#platform/operator.ts';

/** Who made a change: an operator, or a name, which may stand for no member, such as `terminal`. */
export type AuditActor = Pick<Operator, 'id' | 'name'> | string;

/** The actor of changes with the shared password. */
export const sharedActor = 'operator';

/** One change by an operator. `before` and `after` are the changed fields only, as JSON values. */
export interface AuditEntry {
  /** Milliseconds. */
  readonly at: number;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Adds an entry to the audit log, in the transaction that makes the change. */
export async function recordAudit(
  trx: Database,
  { at, actor, action, subject, before, after }: AuditEntry,
): Promise<void> {
  const { id, name } =
    typeof actor === 'string'
      ? {
          id: trx('operators as o').join('users as u', 'u.id', 'o.user_id').where('u.username', actor).select('u.id'),
          name: actor,
        }
      : actor;
  await trx('audit_log').insert({
    at,
    actor: name,
    actor_id: id,
    action,
    kind: subject.kind,
    subject: subject.id,
    before: json(before),
    after: json(after),
  });
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

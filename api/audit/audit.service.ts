import type { AuditAction } from '#contract/audit.ts';
import type { Database } from '#platform/database.ts';

/** The actor of changes with the shared password. */
export const sharedActor = 'operator';

/** One change by an operator. `before` and `after` are the changed fields only, as JSON values. */
export interface AuditEntry {
  /** Milliseconds. */
  readonly at: number;
  /** Who did it: the name of an operator, or `operator` for the shared password. */
  readonly actor: string;
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
  await trx('audit_log').insert({
    at,
    actor,
    action,
    kind: subject.kind,
    subject: subject.id,
    before: json(before),
    after: json(after),
  });
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import { enqueue } from '#platform/jobs/jobs.service.ts';
import type { Job } from '#platform/jobs/runner.service.ts';

/** Milliseconds for which a mail waits at most, as the privacy policy says. */
const storedMs = 86_400_000;

/** What a mail is about. Its texts and links are made when it is sent. */
export type MailKind =
  | 'reset-password'
  | 'confirm-email'
  | 'confirm-reminder'
  | 'email-changed'
  | 'email-removed'
  | 'password-changed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'codes-created'
  | 'digest'
  | 'invitation'
  | 'vote-code'
  | 'sign-in-code'
  | 'desk';

/** A mail to send. */
export interface NewMail {
  readonly kind: MailKind;
  readonly userId: string | null;
  /** Null: found when it is sent. */
  readonly recipient: string | null;
  readonly data?: string;
  /** Milliseconds until it is due; by default, it is at once. */
  readonly afterMs?: number;
}

/** What the job of a mail says besides the member. */
interface MailPayload {
  readonly about: MailKind;
  readonly recipient: string | null;
  readonly data: string | null;
}

/** A mail that is to be sent now. */
export interface QueuedMail extends MailPayload {
  readonly userId: string | null;
  /** When it became due, in milliseconds. */
  readonly queuedAt: number;
  /** With this one. */
  readonly attempts: number;
}

/** The mail of a job. */
export const queuedMail = ({ userId, payload, firstDueAt, attempts }: Job): QueuedMail => ({
  ...(payload as MailPayload),
  ...{ userId, queuedAt: firstDueAt, attempts },
});

/** Queues mail. Call it in the transaction of what the mail tells. */
export interface Outbox {
  /** Whether this site sends mail; if not, queueing does nothing. */
  readonly on: boolean;
  queue(trx: Database, mail: NewMail): Promise<void>;
}

/** Creates the outbox of a site; `on` when a mail server is configured. */
export function mailOutbox({ clock, on }: { readonly clock: Clock; readonly on: boolean }): Outbox {
  return {
    on,
    async queue(trx, { kind: about, userId, recipient, data = null, afterMs = 0 }) {
      if (!on) return;
      const payload: MailPayload = { about, recipient, data };
      await enqueue(trx, [{ kind: 'mail', userId, payload, dueAt: clock.now() + afterMs }]);
    },
  };
}

/** Deletes mail that was not accepted within a day after it became due. */
export async function removeOldMail(db: Database, now: number): Promise<void> {
  const expiring = { table: 'jobs', key: 'id', column: 'first_due_at' };
  await removeExpired(db, expiring, now - storedMs, (rows) => void rows.where({ kind: 'mail' }));
}

import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { removeExpired } from '#platform/database.ts';
import { claimDue } from '#platform/outbox.ts';

/** Milliseconds for which a mail waits at most, as the privacy policy says. */
const keptMs = 86_400_000;

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

/** A row of `mail_outbox`. Times in milliseconds. */
export interface MailRow {
  readonly id: number;
  readonly kind: MailKind;
  readonly user_id: string | null;
  readonly recipient: string | null;
  readonly data: string | null;
  readonly attempts: number;
  readonly created_at: number;
}

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
    async queue(trx, { kind, userId, recipient, data, afterMs = 0 }) {
      if (!on) return;
      // A mail for later is as old as one that is queued then: it is retried for as long.
      const at = clock.now() + afterMs;
      await trx('mail_outbox').insert({ kind, user_id: userId, recipient, data, created_at: at, due_at: at });
    },
  };
}

/** Claims the next due mail until the time `until`; of several processes, one gets it. Undefined when none is due. */
export async function claimMail(db: Database, now: number, until: number): Promise<MailRow | undefined> {
  return claimDue<MailRow>(db, 'mail_outbox', { now, until });
}

/** Makes a mail due at another time. */
export async function postponeMail(db: Database, id: number, dueAt: number): Promise<void> {
  await db('mail_outbox').where({ id }).update({ due_at: dueAt });
}

/** Deletes mail that was not accepted within a day. */
export async function removeOldMail(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'mail_outbox', key: 'id', column: 'created_at' }, now - keptMs);
}

/** Deletes a mail that was sent or can’t be. */
export async function removeMail(db: Database, id: number): Promise<void> {
  await db('mail_outbox').where({ id }).del();
}

import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { repeat } from '#platform/repeat.ts';
import { smtpOptions } from '#platform/smtp-url.ts';
import { claimMail, postponeMail, removeMail } from './outbox.service.ts';
import type { MailKind, MailRow } from './outbox.service.ts';
import type { ComposedMail } from './render.service.ts';

/** Milliseconds between two looks into the outbox. */
const everyMs = 2_000;
/** Minutes after the first, second, and later failures until the next attempt; then the mail is given up. */
const retryMinutes = [1, 5, 15, 60, 240, 720] as const;
/** Milliseconds for which a sender keeps a mail; more than the timeouts of all steps of an attempt together. */
const claimMs = 15 * 60_000;
const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, dnsTimeout: 20_000, socketTimeout: 60_000 };

/** Makes the mail of a row; null when there is nothing to send any more. */
export type Composer = (row: MailRow) => Promise<ComposedMail | null>;

export interface SenderContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>;
  readonly composers: Readonly<Record<MailKind, Composer>>;
}

/**
 * Sends the mail that is due, one after the other, and returns how many were accepted. A mail is deleted once the server has
 * accepted it; after a crash in between it is sent again, with the same Message-ID unless it has a new link. Several processes may call it at once.
 */
export async function sendDueMail(
  { db, clock, log, config, composers }: SenderContext,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...smtpOptions(config.smtpUrl!), ...timeouts, pool: true, maxConnections: 1 });
  let sent = 0;
  try {
    while (!isStopped()) {
      const now = clock.now();
      const row = await claimMail(db, now, now + claimMs);
      if (!row) break;
      const about = { mail: row.id, kind: row.kind, attempt: row.attempts };
      try {
        const mail = await composers[row.kind](row);
        if (mail) {
          await transport.sendMail({
            ...mail,
            to: { name: '', address: mail.to },
            from: config.mailFrom!,
            headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
            messageId: `<${messageIdOf(row)}@${new URL(config.publicUrl).hostname}>`,
            date: new Date(row.created_at),
          });
          sent += 1;
        }
      } catch (error) {
        const wait = isPermanent(error) ? undefined : retryMinutes[row.attempts - 1];
        // The server’s response may repeat the address.
        const { code, responseCode } = error as MailError;
        const failure = { ...about, code, responseCode, ...(code === undefined && { err: error }) };
        if (wait === undefined) {
          log.error(failure, 'a mail could not be sent and was given up');
          await removeMail(db, row.id);
          continue;
        }
        log.warn(failure, 'a mail could not be sent; will retry');
        await postponeMail(db, row.id, clock.now() + wait * 60_000);
        // The next one would probably fail, too; it is tried on the next round.
        break;
      }
      await removeMail(db, row.id);
    }
  } finally {
    transport.close();
  }
  return sent;
}

/** Unique for each content: the mail programs that show one Message-ID once would hide a mail with a new link. */
const messageIdOf = ({ id, kind, attempts, created_at }: MailRow) =>
  `${id}.${created_at}${linkKinds.includes(kind) ? `.${attempts}` : ''}`;

/** Mails that have a new link or code whenever they are composed. */
const linkKinds: readonly MailKind[] = [
  'confirm-email',
  'confirm-reminder',
  'reset-password',
  'invitation',
  'vote-code',
  'sign-in-code',
];

interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  /** The SMTP command that failed. */
  readonly command?: string;
}

/** Whether the server refused this recipient or message for good; other refusals concern the server or its configuration. */
function isPermanent(error: unknown): boolean {
  const { command, responseCode = 0 } = error as MailError;
  return (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500;
}

/** Sends mail in the background until stopped. */
export function startSendingMail(
  context: SenderContext,
  /** Queues what has become due. */
  queueDue: () => Promise<void>,
): { stop(): Promise<void> } {
  const send = async (signal: AbortSignal) => {
    await queueDue();
    if (await hasDueMail(context)) await sendDueMail(context, () => signal.aborted);
  };
  return repeat(send, {
    everyMs,
    later: true,
    log: context.log,
    failed: 'could not read the mail to send; will retry',
  });
}

async function hasDueMail({ db, clock }: SenderContext): Promise<boolean> {
  return (await db('mail_outbox').where('due_at', '<=', clock.now()).first('id')) !== undefined;
}

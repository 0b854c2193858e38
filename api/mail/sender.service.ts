import type { Transporter } from 'nodemailer';
import type { Config } from '#platform/config.ts';
import { errorOf } from '#platform/errors.ts';
import { smtpOptions } from '#platform/smtp-url.ts';
import { JobFailure } from '#platform/jobs/runner.service.ts';
import type { Job } from '#platform/jobs/runner.service.ts';
import { queuedMail } from './outbox.service.ts';
import type { MailKind, QueuedMail } from './outbox.service.ts';
import type { ComposedMail } from './render.service.ts';

const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, dnsTimeout: 20_000, socketTimeout: 60_000 };

/** Makes a mail; null when there is nothing to send any more. */
export type Composer = (mail: QueuedMail) => Promise<ComposedMail | null>;

interface SenderContext {
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl'>;
  readonly composers: Readonly<Record<MailKind, Composer>>;
}

/**
 * Sends mail over one connection, which `idle` closes. A mail is sent again if the process dies before its job is deleted, with
 * the same Message-ID unless it has a new link.
 */
export function mailSender({ config, composers }: SenderContext): {
  run(job: Job): Promise<void>;
  idle(): void;
} {
  let transport: Transporter | undefined;
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ ...smtpOptions(config.smtpUrl!), ...timeouts, pool: true, maxConnections: 1 });
  };
  return {
    async run(job) {
      const queued = queuedMail(job);
      const mail = await composers[queued.about](queued);
      if (mail === null) return;
      transport ??= await connect();
      await transport
        .sendMail({
          ...mail,
          to: { name: '', address: mail.to },
          from: config.mailFrom!,
          headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
          messageId: `<${messageIdOf(job.id, queued)}@${new URL(config.publicUrl).hostname}>`,
          date: new Date(queued.queuedAt),
        })
        .catch((thrown: unknown) => {
          throw failureOf(queued.about, errorOf(thrown));
        });
    },
    idle() {
      transport?.close();
      transport = undefined;
    },
  };
}

/** Unique for each content: the mail programs that show one Message-ID once would hide a mail with a new link. */
const messageIdOf = (id: number, { about, attempts, queuedAt }: QueuedMail) =>
  `${id}.${queuedAt}${linkKinds.includes(about) ? `.${attempts}` : ''}`;

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

/** The server’s response may repeat the address, so that it is not logged. */
function failureOf(about: MailKind, error: MailError): JobFailure {
  const { code, command, responseCode = 0 } = error;
  // Other refusals concern the server or its configuration.
  const isRefused = (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500;
  return new JobFailure({ about, code, responseCode, ...(code === undefined && { err: error }) }, isRefused);
}

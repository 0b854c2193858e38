import type { Config } from '#platform/config.ts';
import { messageOf } from '#platform/errors.ts';
import { smtpOptions } from '#platform/smtp-url.ts';
import { testMail } from '#texts/admin-checklist.ts';
import { renderMail } from './render.service.ts';

/** Milliseconds for each step of the connection. */
const stepMs = 5_000;
/** Characters of the mail server’s reason. */
const reasonLength = 300;

/** Sends a mail to an address at once; returns null when the mail server accepted it, or why not. */
export async function sendTestMail(
  { smtpUrl, mailFrom, ...site }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'siteName' | 'publicUrl'>,
  to: string,
): Promise<string | null> {
  if (smtpUrl === null || mailFrom === null) throw new Error('This site sends no mail.');
  const timeouts = { connectionTimeout: stepMs, greetingTimeout: stepMs, dnsTimeout: stepMs, socketTimeout: stepMs };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...smtpOptions(smtpUrl), ...timeouts });
  try {
    await transport.sendMail({
      ...renderMail(to, testMail(site)),
      to: { name: '', address: to },
      from: mailFrom,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return null;
  } catch (error) {
    return messageOf(error).slice(0, reasonLength);
  } finally {
    transport.close();
  }
}

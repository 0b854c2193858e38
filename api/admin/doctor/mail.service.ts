import type { Config } from '#platform/config.ts';
import { messageOf } from '#platform/errors.ts';
import { smtpOptions } from '#platform/smtp-url.ts';
import { doctorTexts } from '#texts/doctor.ts';
import { found, ok } from './finding.ts';
import type { Finding } from './finding.ts';

const { mail: texts } = doctorTexts;
/** Milliseconds for each step of the connection. */
const stepMs = 5_000;

/** Connects to the configured mail server and signs in, without sending anything. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === null) return ok('mail', texts.off);
  const { host } = new URL(smtpUrl);
  const timeouts = { connectionTimeout: stepMs, greetingTimeout: stepMs, dnsTimeout: stepMs, socketTimeout: stepMs };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ ...smtpOptions(smtpUrl), ...timeouts });
  try {
    await transport.verify();
    return ok('mail', texts.ok(host));
  } catch (error) {
    return found('problem', 'mail', texts.failed(host, messageOf(error)));
  } finally {
    transport.close();
  }
}

import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { reportUndecided } from '#api/admin/today/notice.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { runDue, testWork } from './background.ts';
import { closeBefore } from './databases.ts';
import { startMailServer } from './mail-server.ts';
import { startTestApp, testNow } from './test-app.ts';

/** Starts the API with a mail server; `deliver` sends what is due and returns how many were accepted. */
export async function startMailing(
  db: Database,
  { log = silentLogger, rateLimit = false }: { readonly log?: Logger; readonly rateLimit?: boolean } = {},
) {
  const server = await startMailServer();
  closeBefore(db, () => server.close());
  const clock = fixedClock(testNow);
  const config = {
    publicUrl: 'https://polls.example.org',
    siteName: 'Weathervane',
    smtpUrl: server.url,
    mailFrom: 'Weathervane <desk@polls.example.org>',
  };
  const app = await startTestApp(db, { clock, log, config: { ...config, rateLimit } });
  const mail = mailOutbox({ clock, on: true });
  const operators = { db, clock, config: { ...config, dataDir: tmpdir(), timeZone: 'UTC' }, mail };
  const deliver = async (smtpUrl = server.url) => {
    const before = server.received.length;
    const context = { db, clock, log };
    const work = testWork({ ...context, config: { ...config, smtpUrl } });
    await runDue(context, work, 'digest');
    await reportUndecided(operators);
    await runDue(context, work, 'mail');
    return server.received.length - before;
  };
  /** Delivers one mail to `to` and returns it. */
  const mailTo = async (to: string) => {
    const before = server.received.length;
    await deliver();
    const mails = server.received.slice(before).filter((mail) => mail.to.includes(to));
    expect(mails.map((mail) => mail.to)).toEqual([[to]]);
    return mails[0]!;
  };
  return { app, clock, server, config, mail, operators, deliver, mailTo };
}

/** Mail that waits, without reminders to confirm an address, which are due after days. */
export const unsentMail = (db: Database) =>
  db('jobs').where({ kind: 'mail' }).whereRaw(`payload not like '%"confirm-reminder"%'`);

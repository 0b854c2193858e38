import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { accountComposers } from '#api/accounts/account-mails.service.ts';
import { invitationComposer } from '#api/community-polls/email-invites.service.ts';
import { voteCodeComposer } from '#api/integrity/vote-codes.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { sendDueMail } from '#api/mail/sender.service.ts';
import { deskComposer, reportUndecided } from '#api/desk/notice.service.ts';
import { digestComposer, queueDigests } from '#api/notifications/digest.service.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { closeBefore } from './databases.ts';
import { startMailServer } from './mail-server.ts';
import { startTestApp, testKey, testNow } from './test-app.ts';

/** Starts the API with a mail server; `deliver` sends what is due, as the API service does every few seconds. */
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
  const digests = { db, clock, config, mail, keys: [testKey] };
  const desk = { db, clock, config: { ...config, dataDir: tmpdir(), timeZone: 'UTC' }, mail };
  const composers = {
    ...accountComposers({ db, clock, config }),
    digest: digestComposer(digests),
    invitation: invitationComposer(digests),
    desk: deskComposer(desk),
    'vote-code': voteCodeComposer({ db, clock, config }),
  };
  const context = { db, clock, log, config, composers };
  const deliver = async () => {
    await queueDigests(digests);
    await reportUndecided(desk);
    return sendDueMail(context);
  };
  /** Delivers one mail to `to` and returns it. */
  const mailTo = async (to: string) => {
    const before = server.received.length;
    await deliver();
    const mails = server.received.slice(before).filter((mail) => mail.to.includes(to));
    expect(mails.map((mail) => mail.to)).toEqual([[to]]);
    return mails[0]!;
  };
  return { app, clock, server, config, context, digests, desk, deliver, mailTo };
}

/** Mail that waits, without reminders to confirm an address, which are due after days. */
export const unsentMail = (db: Database) => db('mail_outbox').whereNot({ kind: 'confirm-reminder' });

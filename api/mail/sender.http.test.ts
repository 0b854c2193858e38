import { expect, test } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { startMailing, unsentMail } from '#api/testing/mailing.ts';
import { registered } from '#api/testing/people.ts';
import { testNow } from '#api/testing/test-app.ts';
import { sweepAccounts } from '#api/members/accounts/session-store.service.ts';

const minute = 60_000;

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const lines: string[] = [];
    const log = createLogger('api', {
      level: 'info',
      json: true,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const mailing = await startMailing(db, { log });
    await registered(mailing.app, 'anna', { email: 'anna@example.org' });
    return { db, lines, ...mailing };
  }

  once('a mail has a text and an HTML part, a sender, and a Message-ID, and loads nothing', async () => {
    const { db, mailTo } = await start();
    const mail = await mailTo('anna@example.org');
    expect(mail.headers).toContain('From: Weathervane <desk@polls.example.org>');
    expect(mail.headers).toContain('Auto-Submitted: auto-generated');
    expect(mail.headers).toMatch(new RegExp(`Message-ID: <\\d+\\.${testNow}\\.1@polls\\.example\\.org>`, 'i'));
    expect(mail.text).toContain('Confirm this address:\nhttps://polls.example.org/auth/email#confirm=');
    expect(mail.html).toContain('<a href="https://polls.example.org/auth/email#confirm=');
    expect(mail.html).not.toMatch(/<(img|script|link)\b/);
    expect(await unsentMail(db)).toEqual([]);
  });

  once('a mail that fails is retried with growing pauses, and given up after a day', async () => {
    const { db, clock, server, deliver, lines } = await start();
    server.refuse = 'message';
    const pauses: number[] = [];
    for (let due: number | undefined = testNow; due !== undefined;) {
      clock.set(due);
      expect(await deliver()).toBe(0);
      const [next] = await unsentMail(db).pluck<number[]>('due_at');
      if (next !== undefined) pauses.push((next - due) / minute);
      due = next;
    }
    expect(pauses).toEqual([1, 5, 15, 60, 240, 720]);
    expect(lines.filter((line) => line.includes('given up'))).toHaveLength(1);
    expect(lines.join('')).not.toContain('anna@example.org');
  });

  once('a mail that the server refuses for good is given up at once, and the next one is sent', async () => {
    const { db, app, server, deliver } = await start();
    server.refuse = 'recipient';
    await deliver();
    expect(await unsentMail(db)).toEqual([]);
    server.refuse = null;
    await registered(app, 'ben', { email: 'ben@example.org' });
    expect([await deliver(), server.received]).toMatchObject([1, [{ to: ['ben@example.org'] }]]);
  });

  test('while the mail server refuses every mail, mail waits, for a day at most', async () => {
    const { db, clock, server, deliver, mail } = await start();
    server.refuse = 'sender';
    expect(await deliver()).toBe(0);
    expect(await unsentMail(db).pluck('attempts')).toEqual([1]);
    await sweepAccounts(db, testNow + 24 * 60 * minute - 1);
    server.refuse = null;
    clock.set(testNow + minute);
    expect([await deliver(), server.received]).toMatchObject([1, [{ to: ['anna@example.org'] }]]);
    expect(server.received[0]!.headers).toMatch(new RegExp(`Message-ID: <\\d+\\.${testNow}\\.2@`, 'i'));
    await mail.queue(db, { kind: 'reset-password', userId: null, recipient: null, data: 'anna' });
    await sweepAccounts(db, testNow + minute + 24 * 60 * minute);
    expect(await unsentMail(db)).toEqual([]);
  });

  once('while the mail server is down, mail waits', async () => {
    const { db, clock, server, deliver } = await start();
    expect(await deliver('smtp://127.0.0.1:1')).toBe(0);
    expect(await unsentMail(db).pluck('attempts')).toEqual([1]);
    clock.set(testNow + minute);
    expect([await deliver(), server.received.length]).toEqual([1, 1]);
  });
});

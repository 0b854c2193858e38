import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { startMailServer } from '#api/testing/mail-server.ts';
import { checkMail } from './mail.service.ts';

test('the doctor connects to the mail server without sending, and says why it can’t be used', async () => {
  expect((await checkMail({ smtpUrl: null })).text).toContain('sends no email');
  const server = await startMailServer();
  expect((await checkMail({ smtpUrl: server.url })).level).toBe('ok');
  expect(server.received).toEqual([]);
  await server.close();
  const closed = await checkMail({ smtpUrl: server.url });
  expect(closed.level).toBe('problem');
  expect(closed.text).toContain('ECONNREFUSED');
});

test('a password that the mail server refuses is a problem, and is not printed', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.server.address() as AddressInfo;
  const finding = await checkMail({ smtpUrl: `smtp://anna:secret@127.0.0.1:${port}` });
  await new Promise<void>((closed) => server.close(() => closed()));
  expect(finding.level).toBe('problem');
  expect(finding.text).toContain('Wrong password');
  expect(finding.text).not.toContain('secret');
});

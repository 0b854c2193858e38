import '#api/consequences.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseEnv } from 'node:util';
import { becomeOwner } from '#api/admin/operators/operators.service.ts';
import { hasOwner } from '#api/admin/operators/shared-password.service.ts';
import { testBackup, testFolderPrefix } from '#api/backup/test-backup.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { register } from '#api/members/accounts/accounts.service.ts';
import { passwordQueue } from '#api/members/accounts/passwords.service.ts';
import { registrationSchema } from '#api/members/accounts/accounts.contract.ts';
import { attemptCounters } from '#platform/attempts.ts';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { hasVoterKey } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors, HttpError } from '#platform/errors.ts';
import { replaceFile } from '#platform/replace-file.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { compileSchema } from '#platform/validation.ts';
import { backupTexts } from '#texts/backup.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { setupTexts as texts } from '#texts/setup.ts';
import { prepareDataFolder, runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase, waitForDatabase } from './prepare.ts';
import { phaseBar } from './progress-bar.ts';

/** The settings that are asked for, in this order. */
const asked = ['SITE_NAME', 'PUBLIC_URL', 'SUPPORT_EMAIL', 'TIME_ZONE', 'SMTP_URL', 'DEMO_DATA'] as const;

await runCommand({
  help: texts.help,
  positionals: true,
  options: {},
  async run(_, [file = '.env', extra]) {
    if (extra !== undefined) throw new ConfigError(texts.tooMany(extra));
    if (existsSync(file)) process.loadEnvFile(file);
    // Everything written here is secret.
    process.umask(0o077);
    const answers = answersFrom();
    try {
      console.log(texts.welcome);
      const settings = await askSettings(answers);
      await writeSettings(file, settings);
      console.log(texts.written(file));
      Object.assign(process.env, settings);
      const config = readConfig();
      await prepareDataFolder(config.dataDir);
      const db = openInstallation(config);
      try {
        await waitForDatabase(db, { seconds: config.databaseWait, say: (line) => console.error(line) });
        await prepareDatabase(db, config);
        await ensureSecrets(config, () => hasVoterKey(db));
        if (await hasOwner(db)) console.log(texts.hasOwner);
        else await createOwner(db, config, answers);
        await proveBackup(config);
      } finally {
        await db.destroy();
      }
      console.log(texts.done(config.publicUrl));
      return 0;
    } finally {
      answers.close();
    }
  },
});

interface Answers {
  /** The next line that was typed, without spaces around it. Throws a {@link ConfigError} when the input has ended. */
  next(question: string, isSecret?: boolean): Promise<string>;
  close(): void;
}

/** Reads answers from the terminal, or one per line from a file or pipe. What is secret isn’t shown while it is typed. */
function answersFrom(): Answers {
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      if (isHidden) done();
      else process.stdout.write(chunk, () => done());
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  lines.once('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  return {
    async next(question, isSecret = false) {
      process.stdout.write(question);
      isHidden = isSecret;
      const line = await typed.next();
      isHidden = false;
      if (isSecret || !process.stdin.isTTY) process.stdout.write('\n');
      if (line.done === true) throw new ConfigError(texts.ended);
      return line.value.trim();
    },
    close: () => lines.close(),
  };
}

/** Asks for each setting until it can be used. Enter keeps what is in brackets; a dash empties a setting. */
async function askSettings(answers: Answers): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of asked) {
    const present = process.env[name] ?? suggested(name);
    for (;;) {
      const line = await answers.next(texts.question(name, present));
      const value = line === '' ? present : line === '-' ? '' : line;
      const problem = problemWith({ ...settings, [name]: value });
      if (problem === null) {
        settings[name] = value;
        break;
      }
      console.error(problem);
    }
  }
  if (settings.PUBLIC_URL?.startsWith('https:') && !process.env.NODE_ENV) settings.NODE_ENV = 'production';
  return settings;
}

function suggested(name: (typeof asked)[number]): string {
  const { siteName, publicUrl, demoData } = readConfig();
  if (name === 'SITE_NAME') return siteName;
  if (name === 'PUBLIC_URL') return publicUrl;
  if (name === 'TIME_ZONE') return Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (name === 'DEMO_DATA') return demoData ? 'on' : 'off';
  return '';
}

/** What is wrong with settings, in one sentence; null: they can be used. */
function problemWith(settings: Readonly<Record<string, string>>): string | null {
  try {
    readConfig({ ...process.env, ...settings });
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Sets the settings in a file, and leaves every other line of it as it is. */
async function writeSettings(file: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : `${texts.fileHead}\n`;
  const lines = before.trimEnd().split('\n');
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${quoted(value)}`;
    const place = lines.findIndex((one) => one.startsWith(`${name}=`));
    if (place === -1) lines.push(line);
    else lines[place] = line;
  }
  await replaceFile(file, `${lines.join('\n')}\n`, 0o600);
}

/** A value as a line of the file has it. Throws a {@link ConfigError} for one with every kind of quotation mark. */
function quoted(value: string): string {
  if (/^[\w@:/.,+-]*$/.test(value)) return value;
  const readable = ['"', "'", '`'].map((mark) => mark + value + mark).find((text) => parseEnv(`X=${text}`).X === value);
  if (readable === undefined) throw new ConfigError(texts.unwritable(value));
  return readable;
}

/** Asks for a name and password until an account can be made with them, makes it the owner, and prints its recovery codes. */
async function createOwner(db: Database, config: Config, answers: Answers): Promise<void> {
  const context = {
    ...{ db, config, clock: systemClock },
    passwords: passwordQueue(config.siteName),
    attempts: attemptCounters({ db, clock: systemClock, secret: randomBytes(32).toString('hex'), on: false }),
    mail: mailOutbox({ clock: systemClock, on: config.smtpUrl !== null }),
  };
  const origin = { address: '127.0.0.1', voter: null, device: randomBytes(32).toString('base64url'), deviceName: null };
  const check = compileSchema(registrationSchema, 'json');
  console.log(texts.owner);
  for (;;) {
    const username = await answers.next(texts.username);
    const password = await answers.next(texts.password, true);
    if (password !== (await answers.next(texts.passwordAgain, true))) {
      console.error(texts.passwordsDiffer);
      continue;
    }
    try {
      const input = { username, password };
      if (!check(input)) throw errors.validationFailed(fieldErrors(check.errors));
      const { user } = await register(context, input, origin);
      await becomeOwner(context, { id: null, name: 'terminal', role: 'owner' }, user.id);
      console.log(texts.recoveryCodes(username, user.recoveryCodes));
      return;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      console.error(error.errors?.map(({ message }) => message).join('\n') ?? error.message);
    }
  }
}

/** Takes a backup, restores it in a temporary place, and compares; throws a {@link ConfigError} with what is wrong. */
async function proveBackup(config: Config): Promise<void> {
  if (sqlitePath(config.databaseUrl) === ':memory:') throw new ConfigError(backupTexts.inMemory);
  const folder = await mkdtemp(join(config.dataDir, testFolderPrefix));
  const bar = phaseBar(backupTexts);
  try {
    const bytes = await testBackup({ config, clock: systemClock, folder, onProgress: bar.show });
    console.log(texts.backupProven(Math.ceil(bytes / 1e3)));
  } finally {
    bar.end();
    await rm(folder, { recursive: true, force: true });
  }
}

import { randomBytes, randomInt } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/** The secrets file in the data folder (mode 0600). */
interface SecretsFile {
  readonly sessionKeys: readonly string[];
  /** Key of the site's build; a constant one keeps the server code of releases identical. */
  readonly siteKey: string;
  /** Null while the operator sets ADMIN_PASSWORD. */
  readonly adminPasswordHash: string | null;
}

/** The secrets of an installation, ready for use. */
interface Secrets {
  /** Keys that sign cookies, newest first. */
  readonly sessionKeys: readonly string[];
  readonly siteKey: string;
  /** A password generated just now; it cannot be shown again. */
  readonly newAdminPassword: string | null;
  /** Whether a text is the admin password, in constant time. */
  isAdminPassword(candidate: string): Promise<boolean>;
}

/** Reads the secrets in the data folder and generates missing ones; safe when several processes start at once. */
export async function ensureSecrets(
  config: Pick<Config, 'dataDir' | 'adminPassword' | 'sessionKeys'>,
): Promise<Secrets> {
  const path = join(config.dataDir, 'secrets.json');
  await mkdir(config.dataDir, { recursive: true });
  let stored = await read(path);
  let newAdminPassword: string | null = null;

  if (stored === null || (stored.adminPasswordHash === null && config.adminPassword === null)) {
    if (config.adminPassword === null) newAdminPassword = readablePassword();
    const made: SecretsFile = {
      sessionKeys: stored?.sessionKeys ?? [randomBytes(32).toString('base64url')],
      siteKey: stored?.siteKey ?? randomBytes(32).toString('base64'),
      adminPasswordHash: newAdminPassword === null ? null : await hashPassword(newAdminPassword),
    };
    const kept = await write(path, made, stored === null);
    // Another process was faster; its password counts.
    if (!kept) newAdminPassword = null;
    stored = kept ? made : await read(path);
  }
  if (stored === null) throw new ConfigError(`${path} was removed while it was being created. Start again.`);

  const { sessionKeys, siteKey } = stored;
  // A password from the environment is hashed at each start, so that checking a guess takes as long.
  const adminPasswordHash =
    config.adminPassword === null ? stored.adminPasswordHash : await hashPassword(config.adminPassword);
  return {
    sessionKeys: config.sessionKeys ?? sessionKeys,
    siteKey,
    newAdminPassword,
    async isAdminPassword(candidate) {
      return adminPasswordHash !== null && verifyPassword(candidate, adminPasswordHash);
    },
  };
}

async function read(path: string): Promise<SecretsFile | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(
      `The secrets in ${path} can’t be read (${(error as Error).message}). Check DATA_DIR and its owner.`,
    );
  }
  try {
    return JSON.parse(text) as SecretsFile;
  } catch {
    throw new ConfigError(
      `${path} is damaged. Restore it, or delete it to create a new admin password and end all sessions.`,
    );
  }
}

/** Writes the file atomically; false when `onlyNew` and it already exists. */
async function write(path: string, secrets: SecretsFile, onlyNew: boolean): Promise<boolean> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    // Flushed before it gets its name: after a power failure, an empty file would have lost the only password.
    await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    if (onlyNew) await link(draft, path);
    else await rename(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Four groups without letters that look alike: 20 characters of 31, about 99 bits. */
function readablePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { readableSecret } from './readable-secret.ts';

/** The secrets file in the data folder (mode 0600). */
interface SecretsFile {
  readonly sessionKeys: readonly string[];
  /** Missing until the first start of a release that has it. */
  readonly voterKey?: string;
  /** Seed of the key that signs the vote log, 64 hexadecimal digits; missing as the voter key. */
  readonly logKey?: string;
  /** Key of the site's build; a constant one keeps the server code of releases identical. */
  readonly siteKey: string;
  /** Null while the operator sets ADMIN_PASSWORD. */
  readonly adminPasswordHash: string | null;
}

/** The secrets of an installation, ready for use. */
interface Secrets {
  /** Keys that sign cookies, newest first. */
  readonly sessionKeys: readonly string[];
  /** Key of the digests of voters: see voter-digest. */
  readonly voterKey: string;
  /** Seeds of the keys that sign the vote log, newest first. */
  readonly logKeys: readonly string[];
  readonly siteKey: string;
  /** A password generated just now; it cannot be shown again. */
  readonly newAdminPassword: string | null;
  /** Whether a text is the admin password, in constant time. */
  isAdminPassword(candidate: string): Promise<boolean>;
}

type SecretsConfig = Pick<Config, 'dataDir' | 'adminPassword' | 'sessionKeys' | 'voterKey' | 'logKeys'>;

/** Reads the secrets in the data folder and generates missing ones; safe when several processes start at once. */
export async function ensureSecrets(config: SecretsConfig): Promise<Secrets> {
  const { stored, newAdminPassword } = await ensureFile(config, config.adminPassword === null);
  const { sessionKeys, siteKey } = stored;
  // A password from the environment is hashed at each start, so that checking a guess takes as long.
  const adminPasswordHash =
    config.adminPassword === null ? stored.adminPasswordHash : await hashPassword(config.adminPassword);
  return {
    sessionKeys: config.sessionKeys ?? sessionKeys,
    voterKey: config.voterKey ?? voterKeyOf(stored),
    logKeys: config.logKeys ?? [logKeyOf(stored)],
    siteKey,
    newAdminPassword,
    async isAdminPassword(candidate) {
      return adminPasswordHash !== null && verifyPassword(candidate, adminPasswordHash);
    },
  };
}

/** Seeds of the keys that sign the vote log, newest first; none before the first start. Read-only; throws {@link ConfigError}. */
export async function configuredLogKeys({ dataDir, logKeys }: Pick<Config, 'dataDir' | 'logKeys'>) {
  if (logKeys !== null) return logKeys;
  const stored = await readSecretsFile(dataDir);
  return stored === null ? [] : [logKeyOf(stored)];
}

/** The key of the voters' digests, for commands that need no other secret; generated as by {@link ensureSecrets}. */
export async function ensureVoterKey(config: Pick<SecretsConfig, 'dataDir' | 'voterKey'>): Promise<string> {
  return config.voterKey ?? voterKeyOf((await ensureFile(config, false)).stored);
}

/** Completes the file; `withPassword`: it needs a password, and is to generate one that is missing. */
async function ensureFile(
  { dataDir }: Pick<Config, 'dataDir'>,
  withPassword: boolean,
): Promise<{ stored: SecretsFile; newAdminPassword: string | null }> {
  await mkdir(dataDir, { recursive: true });
  const stored = await readSecretsFile(dataDir);
  const hasPassword = stored !== null && stored.adminPasswordHash !== null;
  const newAdminPassword = withPassword && !hasPassword ? readableSecret(4, 5) : null;
  if (stored?.voterKey !== undefined && stored.logKey !== undefined && newAdminPassword === null)
    return { stored, newAdminPassword };

  const made: SecretsFile = {
    sessionKeys: stored?.sessionKeys ?? [randomBytes(32).toString('base64url')],
    voterKey: stored ? voterKeyOf(stored) : randomBytes(32).toString('base64url'),
    logKey: stored ? logKeyOf(stored) : randomBytes(32).toString('hex'),
    siteKey: stored?.siteKey ?? randomBytes(32).toString('base64'),
    adminPasswordHash:
      newAdminPassword === null ? (stored?.adminPasswordHash ?? null) : await hashPassword(newAdminPassword),
  };
  const path = pathIn(dataDir);
  if (await write(path, made, stored === null)) return { stored: made, newAdminPassword };
  // Another process was faster; its password counts.
  const theirs = await readSecretsFile(dataDir);
  if (theirs === null) throw new ConfigError(`${path} was removed while it was being created. Start again.`);
  return { stored: theirs, newAdminPassword: null };
}

/**
 * The voter key of a file. One of an earlier release has none: derived from its session keys, it is the same for processes
 * that start together, and each time a backup of that release is restored.
 */
function voterKeyOf({ voterKey, sessionKeys }: SecretsFile): string {
  return voterKey ?? createHmac('sha256', sessionKeys.join()).update('voter key').digest('base64url');
}

/** The log key of a file; that of an earlier release is derived as the voter key. */
function logKeyOf({ logKey, sessionKeys }: SecretsFile): string {
  return logKey ?? createHmac('sha256', sessionKeys.join()).update('log key').digest('hex');
}

const pathIn = (dataDir: string) => join(dataDir, 'secrets.json');

/** Reads the file and changes nothing; null when there is none. Throws a {@link ConfigError} when it cannot be used. */
export async function readSecretsFile(dataDir: string): Promise<SecretsFile | null> {
  const path = pathIn(dataDir);
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
      `${path} is damaged. Restore it from a backup: its voter key is needed to recognize who has voted.`,
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

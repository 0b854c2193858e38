import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTexts } from '#texts/start.ts';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';
import { makeFolder } from './make-folder.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { readableSecret } from './readable-secret.ts';

/** Milliseconds within which a process that generates a password has done so. */
const claimMs = 10_000;

/** The secrets file in the data folder (mode 0600). */
interface SecretsFile {
  readonly sessionKeys: readonly string[];
  /** Missing until the first start of a release that has it. */
  readonly voterKey?: string;
  /** Seed of the key that signs the vote log, 64 hexadecimal digits; missing as the voter key. */
  readonly logKey?: string;
  /** Seed of the key that cosigns the logs of others, 64 hexadecimal digits; missing as the voter key. */
  readonly witnessKey?: string;
  /** Key of the site's build; a constant one keeps the server code of builds identical. */
  readonly siteKey: string;
  /** Null while the operator sets ADMIN_PASSWORD. */
  readonly adminPasswordHash: string | null;
}

/** The secrets of an installation, ready for use. */
export interface Secrets {
  /** Keys that sign cookies, newest first. */
  readonly sessionKeys: readonly string[];
  /** Key of the digests of voters: see voter-digest. */
  readonly voterKey: string;
  /** Seeds of the keys that sign the vote log, newest first. */
  readonly logKeys: readonly string[];
  /** Seed of the key that cosigns the logs of others. */
  readonly witnessKey: string;
  readonly siteKey: string;
  /** Whether a text is the admin password, in constant time. */
  isAdminPassword(candidate: string): Promise<boolean>;
}

type SecretsConfig = Pick<Config, 'dataDir' | 'adminPassword' | 'sessionKeys' | 'voterKey' | 'logKeys' | 'witnessKey'>;

/**
 * Reads the secrets in the data folder and generates missing ones; safe when several processes start at once. Throws a
 * {@link ConfigError} where the file is missing although `isUsed` says that the database was used with its keys: new keys
 * would recognize no voter, and nobody could tell them from the right ones.
 */
export async function ensureSecrets(config: SecretsConfig, isUsed?: () => Promise<boolean>): Promise<Secrets> {
  const hasOtherKeys = config.voterKey !== null && config.logKeys !== null;
  const stored = await ensureFile(config.dataDir, hasOtherKeys ? undefined : isUsed);
  return {
    sessionKeys: config.sessionKeys ?? stored.sessionKeys,
    voterKey: config.voterKey ?? voterKeyOf(stored),
    logKeys: config.logKeys ?? [logKeyOf(stored)],
    witnessKey: config.witnessKey ?? witnessKeyOf(stored),
    siteKey: stored.siteKey,
    isAdminPassword: adminPasswordCheck(config),
  };
}

/** A check of the admin password of the settings, or else of the data folder, which may get one later. */
function adminPasswordCheck({ dataDir, adminPassword }: SecretsConfig): Secrets['isAdminPassword'] {
  // A password from the environment is hashed at each start, so that checking a guess takes as long.
  let hash = adminPassword === null ? null : hashPassword(adminPassword);
  return async (candidate) => {
    const stored = hash === null ? ((await readSecretsFile(dataDir))?.adminPasswordHash ?? null) : await hash;
    hash ??= stored === null ? null : Promise.resolve(stored);
    return stored !== null && verifyPassword(candidate, stored);
  };
}

/**
 * Generates an admin password where there is none, and returns it; null if there is one. To be called when a start has
 * succeeded, right before the password is shown: only its hash is stored.
 */
export async function newAdminPassword(
  config: Pick<SecretsConfig, 'dataDir' | 'adminPassword'>,
): Promise<string | null> {
  const { dataDir, adminPassword } = config;
  if (adminPassword !== null || (await hasAdminPassword(dataDir))) return null;
  const path = secretsPath(dataDir);
  const lock = `${path}.password`;
  if (!(await claim(lock))) return null;
  try {
    const stored = await readSecretsFile(dataDir);
    // Another process was faster; its password counts.
    if (stored?.adminPasswordHash !== null) return null;
    const password = readableSecret(4, 5);
    await write(path, { ...stored, adminPasswordHash: await hashPassword(password) }, false);
    return password;
  } finally {
    await rm(lock, { force: true });
  }
}

async function hasAdminPassword(dataDir: string): Promise<boolean> {
  return typeof (await readSecretsFile(dataDir))?.adminPasswordHash === 'string';
}

/** Whether this process may generate the password; a claim that a killed process has left is void after some seconds. */
async function claim(lock: string): Promise<boolean> {
  const claimedAt = (await stat(lock).catch(() => null))?.mtimeMs;
  if (claimedAt !== undefined && Date.now() - claimedAt > claimMs) await rm(lock, { force: true });
  try {
    await writeFile(lock, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

type KeysConfig = Pick<Config, 'dataDir' | 'voterKey' | 'logKeys'>;

/**
 * The voter key, and the seeds of the keys that sign the vote log, newest first; null and none before the first start.
 * Read-only; throws a {@link ConfigError}.
 */
export async function configuredKeys({ dataDir, voterKey, logKeys }: KeysConfig) {
  const stored = voterKey !== null && logKeys !== null ? null : await readSecretsFile(dataDir);
  return {
    voterKey: voterKey ?? (stored && voterKeyOf(stored)),
    logKeys: logKeys ?? (stored ? [logKeyOf(stored)] : []),
  };
}

/** The key of the voters' digests, for commands that need no other secret; generated as by {@link ensureSecrets}. */
export async function ensureVoterKey(config: Pick<SecretsConfig, 'dataDir' | 'voterKey'>): Promise<string> {
  return config.voterKey ?? voterKeyOf(await ensureFile(config.dataDir));
}

/** Creates the file, or completes one of an earlier release. */
async function ensureFile(dataDir: string, isUsed?: () => Promise<boolean>): Promise<SecretsFile> {
  makeFolder(dataDir);
  const stored = await readSecretsFile(dataDir);
  if (stored?.voterKey !== undefined && stored.logKey !== undefined && stored.witnessKey !== undefined) return stored;
  const path = secretsPath(dataDir);
  if (stored === null && (await isUsed?.()) === true) throw new ConfigError(startTexts.secretsMissing(path, dataDir));

  const made: SecretsFile = {
    sessionKeys: stored?.sessionKeys ?? [randomBytes(32).toString('base64url')],
    voterKey: stored ? voterKeyOf(stored) : randomBytes(32).toString('base64url'),
    logKey: stored ? logKeyOf(stored) : randomBytes(32).toString('hex'),
    witnessKey: stored ? witnessKeyOf(stored) : randomBytes(32).toString('hex'),
    siteKey: stored?.siteKey ?? randomBytes(32).toString('base64'),
    adminPasswordHash: stored?.adminPasswordHash ?? null,
  };
  if (await write(path, made, stored === null)) return made;
  // Another process was faster.
  const theirs = await readSecretsFile(dataDir);
  if (theirs === null) throw new ConfigError(`${path} was removed while it was being created. Start again.`);
  return theirs;
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

/** The witness key of a file; that of an earlier release is derived as the voter key. */
function witnessKeyOf({ witnessKey, sessionKeys }: SecretsFile): string {
  return witnessKey ?? createHmac('sha256', sessionKeys.join()).update('witness key').digest('hex');
}

export const secretsPath = (dataDir: string): string => join(dataDir, 'secrets.json');

/** Reads the file and changes nothing; null when there is none. Throws a {@link ConfigError} when it cannot be used. */
export async function readSecretsFile(dataDir: string): Promise<SecretsFile | null> {
  const path = secretsPath(dataDir);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError(
      `The secrets in ${path} can’t be read (${(error as Error).message}). Check DATA_DIR and its owner.`,
    );
  }
  const parsed = parsedSecrets(text);
  if (parsed === null)
    throw new ConfigError(
      `${path} is damaged. Restore it from a backup: its voter key is needed to recognize who has voted.`,
    );
  return parsed;
}

/** The secrets in a file’s text; null if that is not what {@link write} writes. */
function parsedSecrets(text: string): SecretsFile | null {
  try {
    const { sessionKeys, siteKey } = JSON.parse(text) as Partial<SecretsFile>;
    const isWhole = Array.isArray(sessionKeys) && sessionKeys.length > 0 && typeof siteKey === 'string';
    return isWhole ? (JSON.parse(text) as SecretsFile) : null;
  } catch {
    return null;
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

import { access, constants, stat } from 'node:fs/promises';
import type { Clock } from '#platform/clock.ts';
import { ConfigError, readConfig, sqlitePath } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { leastDiskSpace } from '#platform/disk-space.ts';
import { errorOf } from '#platform/errors.ts';
import { readSecretsFile, secretsPath } from '#platform/secrets.ts';
import { isThisMachine } from '#platform/trusted-proxies.ts';
import { checkServedBuild } from '#api/publishing/overview.service.ts';
import type { BuildCheck } from '#api/publishing/overview.service.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';
import { checkDatabase } from './database.service.ts';
import { found, ok } from './finding.ts';
import type { Finding } from './finding.ts';
import { checkMail } from './mail.service.ts';

interface ExaminationOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Whether wrong counters are corrected. */
  readonly repair: boolean;
}

/**
 * Checks a site’s installation and returns the findings in the order of the checks. Changes nothing except, on request,
 * counters (handbook decision 106).
 */
export async function examine({ environment, clock, repair }: ExaminationOptions): Promise<Finding[]> {
  const { config, wrong, findings } = checkSettings(environment);
  const folder = await checkDataFolder(config);
  const all = [...findings, ...folder, await checkMail(config)];
  // With a wrong location, the other checks would be about another site.
  if (!wrong.has('DATA_DIR') && !wrong.has('DATABASE_URL')) {
    const database = await checkDatabase({ config, clock, repair });
    const build = await checkServedBuild(config.dataDir);
    const isUsed = database.isUsed || build !== null;
    const keys = await checkKeys(config, isUsed);
    const disk = await checkDisk(config, database.bytes);
    all.push(...keys, ...disk, ...database.findings, ...pageFindings(build));
  }
  const order = Object.keys(texts.checks);
  return all.sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
}

function pageFindings(build: BuildCheck | null): Finding[] {
  if (build === null) return [found('warning', 'pages', texts.pages.none)];
  const { id, pages, missing, damaged } = build;
  const problems = [...missing.map(texts.pages.missing), ...damaged.map(texts.pages.unreadable)];
  return problems.length === 0
    ? [ok('pages', texts.pages.ok(id, pages))]
    : [found('problem', 'pages', texts.pages.damaged(id, problems.length, problems))];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every setting; wrong ones are reported and replaced by their defaults. */
function checkSettings(environment: Environment): {
  readonly config: Config;
  readonly wrong: ReadonlySet<string>;
  readonly findings: readonly Finding[];
} {
  const env: Record<string, string | undefined> = { ...environment };
  const findings: Finding[] = [];
  const wrong = new Set<string>();
  for (;;) {
    try {
      const config = readConfig(env);
      findings.push(...production(config));
      return { config, wrong, findings: findings.length > 0 ? findings : [ok('settings', texts.settings.ok)] };
    } catch (error) {
      // The message starts with the variable.
      const name = error instanceof ConfigError ? /^[A-Z_]+/.exec(error.message)?.[0] : undefined;
      if (name === undefined || env[name] === undefined) throw error;
      findings.push(found('problem', 'settings', { text: (error as Error).message, ...texts.settings.wrong }));
      wrong.add(name);
      env[name] = undefined;
    }
  }
}

function production({ production: isProduction, publicUrl, rateLimit }: Config): Finding[] {
  if (!isProduction) return [];
  const { hostname, protocol } = new URL(publicUrl);
  const local = isThisMachine(hostname);
  return [
    ...(local ? [found('warning', 'settings', texts.settings.localAddress(publicUrl))] : []),
    ...(!local && protocol === 'http:' ? [found('warning', 'settings', texts.settings.plainAddress(publicUrl))] : []),
    ...(rateLimit ? [] : [found('warning', 'settings', texts.settings.noLimits)]),
  ];
}

/** Checks whether the data folder is usable; no finding if it is. */
async function checkDataFolder({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? [found('warning', 'settings', texts.settings.noFolder(dataDir))]
      : [found('problem', 'settings', texts.settings.unwritable(dataDir, code))];
  }
}

/** Checks the secrets in the data folder and who else can read them; `isUsed`: there is data that needs them. */
async function checkKeys(config: Config, isUsed: boolean): Promise<Finding[]> {
  const findings: Finding[] = [await checkSecrets(config, isUsed)];
  const database = sqlitePath(config.databaseUrl);
  for (const file of database === null ? [] : ['', '-wal', '-shm'].map((end) => `${database}${end}`)) {
    const mode = (await modeOf(file)) ?? 0;
    if (mode & 0o077) findings.push(found('warning', 'keys', texts.keys.openDatabase(file, octal(mode))));
  }
  return findings;
}

async function checkSecrets(config: Config, isUsed: boolean): Promise<Finding> {
  const { dataDir, adminPassword, sessionKeys, voterKey, logKeys } = config;
  const file = secretsPath(dataDir);
  const stored = await readSecretsFile(dataDir).catch(errorOf);
  if (stored instanceof Error) return found('problem', 'keys', texts.keys.unreadable(file, dataDir, stored.message));
  if (stored === null) {
    const given = [voterKey, logKeys].every((one) => one !== null);
    if (isUsed && !given) return found('problem', 'keys', texts.keys.missing(file, dataDir));
    return given && adminPassword !== null && sessionKeys !== null
      ? ok('keys', texts.keys.fromEnvironment)
      : found('warning', 'keys', texts.keys.none(file));
  }
  const mode = (await modeOf(file)) ?? 0;
  return mode & 0o077 ? found('problem', 'keys', texts.keys.open(file, octal(mode))) : ok('keys', texts.keys.ok(file));
}

/** Checks the free disk space for a build, a backup, and the growth of the database, whose size is `databaseBytes`. */
async function checkDisk({ dataDir, databaseUrl }: Config, databaseBytes: number): Promise<Finding[]> {
  const file = sqlitePath(databaseUrl);
  const room = await leastDiskSpace(dataDir, file, databaseBytes);
  if (room === null) return [];
  const { level, freeBytes, wantedBytes, folder, fewFiles } = room;
  if (level === 'ok') return [ok('disk', texts.disk.ok(freeBytes))];
  if (level === 'full') return [found('problem', 'disk', texts.disk.full(folder))];
  const findings: Finding[] = [];
  if (freeBytes < wantedBytes)
    findings.push(
      found(level === 'critical' ? 'problem' : 'warning', 'disk', texts.disk.low(freeBytes, wantedBytes, folder)),
    );
  if (fewFiles) findings.push(found('warning', 'disk', texts.disk.noNames(folder)));
  return findings;
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch {
    return null;
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}

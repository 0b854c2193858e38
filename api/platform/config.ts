import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { defaultSlots, isTimeZone, parseSlots } from '#contract/schedule.ts';
import type { WeeklySlot } from '#contract/schedule.ts';
import { smtpOptions } from './smtp-url.ts';
import { loopback, parseProxies } from './trusted-proxies.ts';

/** The default of SITE_NAME. */
export const defaultSiteName = 'Weathervane';

/** The values of LOG_LEVEL. */
const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A witness that this site asks for cosignatures. */
export interface Witness {
  /** Its verifier key, which has its name. */
  readonly key: string;
  /** Its submission prefix, without a slash at the end. */
  readonly url: string;
}

/** A log that this site cosigns. */
export interface WitnessedLog {
  readonly origin: string;
  /** A verifier key, whose name may be another than the origin. */
  readonly key: string;
}

/** The configuration from environment variables, validated and with defaults. Paths are absolute. */
export interface Config {
  readonly port: number;
  readonly apiPort: number;
  /** Address that the API listens on: only the operator's proxies may reach it. */
  readonly apiHost: string;
  /** Base URLs of the API services, one or more. */
  readonly apiOrigins: readonly string[];
  readonly host: string;
  /** Processes of the site service; null: depends on the machine. */
  readonly siteProcesses: number | null;
  readonly dataDir: string;
  /** `sqlite:<file>` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Seconds that a start waits for a database server that does not respond yet. */
  readonly databaseWait: number;
  readonly adminPassword: string | null;
  /** Newest first; null: generated at the first start and stored in the data folder. */
  readonly sessionKeys: readonly string[] | null;
  /** Key of the digests of voters; null: generated at the first start and stored in the data folder. */
  readonly voterKey: string | null;
  /** Seeds of the keys that sign the vote log, newest first; null: generated at the first start and stored in the data folder. */
  readonly logKeys: readonly string[] | null;
  /** Seed of the key that cosigns other logs; null: generated at the first start and stored in the data folder. */
  readonly witnessKey: string | null;
  readonly witnesses: readonly Witness[];
  /** Logs that this site is a witness for; none: it is no witness. */
  readonly witnessLogs: readonly WitnessedLog[];
  readonly publicUrl: string;
  /** Addresses and networks of trusted proxies. */
  readonly trustedProxies: readonly string[];
  readonly siteName: string;
  readonly supportEmail: string;
  /** IANA name of the time zone of saved pages, weekly slots, and dates without an offset. */
  readonly timeZone: string;
  /** When new weekly polls open, and for how long. */
  readonly weeklySlots: readonly WeeklySlot[];
  /** The mail server, which may contain a password; null: this site sends no mail. */
  readonly smtpUrl: string | null;
  /** Sender of mail: an address, or a name and an address in angle brackets; null without a mail server. */
  readonly mailFrom: string | null;
  /** URL of the script, followed by the origins that it loads from, separated by spaces. */
  readonly analyticsScript: string | null;
  readonly analyticsSite: string | null;
  /** As `analyticsScript`. */
  readonly adsScript: string | null;
  /** Origins of the sites in whose pages visitors may vote. */
  readonly embedVotingSites: readonly string[];
  /** Time until which new members are early adopters, in milliseconds; null: 90 days after the first account. */
  readonly earlyAdopterUntil: number | null;
  readonly rateLimit: boolean;
  /** Webhooks may go to private addresses, and over http. */
  readonly privateWebhooks: boolean;
  /** Witnesses may have private addresses, and http. */
  readonly privateWitnesses: boolean;
  /** Load demonstration polls into an empty database. */
  readonly demoData: boolean;
  /** Lowest level that the services log; null: depends on how they were started. */
  readonly logLevel: LogLevel | null;
  readonly production: boolean;
}

/** An invalid environment variable. The message names the variable and its valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Ports that browsers and fetch block (fetch.spec.whatwg.org, "bad port"). */
const blockedPorts: ReadonlySet<number> = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190],
  ...[5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

/** The most processes that SITE_PROCESSES may ask for. */
const maxSiteProcesses = 32;

/** Characters that the origin of a log may have. */
const longestOrigin = 255;

/** Minimum length of the admin password. */
const minAdminPasswordLength = 12;

/** Minimum length of the key of the voters' digests: 128 random bits in hexadecimal digits. */
const minVoterKeyLength = 32;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the configuration; throws a {@link ConfigError} for the first value that cannot be used. */
export function readConfig(env: Environment = process.env): Config {
  const text = (name: string) => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const refuse = (name: string, takes: string): never => {
    throw new ConfigError(`${name} is “${env[name]}”, but it must be ${takes}. Change it or remove it.`);
  };
  const portOf = (name: string, fallback: number) => {
    const value = text(name);
    if (value === null) return fallback;
    const port = Number(value);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return refuse(name, 'a port from 1 to 65535');
    if (blockedPorts.has(port)) return refuse(name, 'a port that browsers don’t block, such as 3000 or 4000');
    return port;
  };
  const switchOf = (name: string, fallback: boolean) => {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['on', 'true', '1', 'yes'].includes(value)) return true;
    if (['off', 'false', '0', 'no'].includes(value)) return false;
    return refuse(name, 'on or off');
  };
  const checkedAddress = (name: string, value: string) => {
    if (!URL.canParse(value)) return refuse(name, 'a full web address such as https://polls.example.org');
    const url = new URL(value);
    if (!['http:', 'https:'].includes(url.protocol)) return refuse(name, 'an http or https address');
    return value.replace(/\/+$/, '');
  };
  const webAddress = (name: string) => {
    const value = text(name);
    return value === null ? null : checkedAddress(name, value);
  };
  const serviceAddresses = (name: string) => {
    const values = text(name)?.split(',') ?? [];
    const addresses = values.map((value) => checkedAddress(name, value.trim()));
    return addresses.length === 0 ? null : [...new Set(addresses)];
  };
  // They become part of a Content-Security-Policy, where commas and semicolons are separators.
  const webAddresses = (name: string) => {
    const values = text(name)?.split(/\s+/) ?? [];
    if (values.some((value) => /[,;'"]/.test(value))) return refuse(name, 'addresses separated by spaces');
    return values.map((value) => checkedAddress(name, value)).join(' ') || null;
  };

  // As the above. Others could change a page without https on its way, and what it covers.
  const origins = (name: string) =>
    (text(name)?.split(/\s+/) ?? []).map((value) => {
      const { origin, protocol, hostname } = URL.canParse(value) ? new URL(value) : new URL('about:blank');
      const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
      return isSafe && origin === value && /^[\w.:/-]+$/.test(value)
        ? value
        : refuse(name, 'addresses of sites such as https://news.example.org, without a path, separated by spaces');
    });

  const port = portOf('PORT', 3000);
  const apiPort = portOf('API_PORT', 4000);
  if (port === apiPort) refuse('API_PORT', `a port other than PORT (${port})`);
  const processes = text('SITE_PROCESSES');
  if (
    processes !== null &&
    !(/^\d{1,2}$/.test(processes) && Number(processes) >= 1 && Number(processes) <= maxSiteProcesses)
  )
    refuse('SITE_PROCESSES', `a number from 1 to ${maxSiteProcesses}`);
  const dataDir = resolve(text('DATA_DIR') ?? './var');
  const databaseUrl = text('DATABASE_URL') ?? `sqlite:${resolve(dataDir, 'weathervane.sqlite')}`;
  if (!/^(sqlite:.|postgres(ql)?:\/\/.)/.test(databaseUrl))
    // The URL may contain a password, so the message repeats only its scheme.
    throw new ConfigError(
      `DATABASE_URL starts with “${/^[\w+.-]*(?=:)/.exec(databaseUrl)?.[0] ?? ''}”, but it must be postgres://user:password@host:port/database or sqlite:/path/to/file. Change it or remove it.`,
    );
  const wait = text('DATABASE_WAIT') ?? '30';
  if (!/^\d{1,4}$/.test(wait)) refuse('DATABASE_WAIT', 'a number of seconds from 0 to 9999');
  const logLevel = text('LOG_LEVEL')?.toLowerCase() ?? null;
  const level = logLevels.find((one) => one === logLevel) ?? null;
  if (logLevel !== null && level === null) refuse('LOG_LEVEL', `one of ${logLevels.join(', ')}`);
  const sessionKeys =
    text('SESSION_KEYS')
      ?.split(',')
      .map((key) => key.trim()) ?? null;
  if (sessionKeys?.some((key) => key.length < 16))
    throw new ConfigError(
      'SESSION_KEYS has a key that is too short: keys must have at least 16 characters and be separated by commas.',
    );
  const voterKey = text('VOTER_KEY');
  if (voterKey !== null && voterKey.length < minVoterKeyLength)
    throw new ConfigError(`VOTER_KEY is too short: it must have at least ${minVoterKeyLength} characters.`);
  const logKeys =
    text('LOG_KEY')
      ?.split(',')
      .map((key) => key.trim().toLowerCase()) ?? null;
  // The value is a secret, so the message must not repeat it.
  if (logKeys?.some((key) => !/^[0-9a-f]{64}$/.test(key)))
    throw new ConfigError(
      'LOG_KEY must be 64 hexadecimal digits (openssl rand -hex 32), or several such keys, newest first, separated by commas.',
    );
  const witnessKey = text('WITNESS_KEY')?.toLowerCase() ?? null;
  if (witnessKey !== null && !/^[0-9a-f]{64}$/.test(witnessKey))
    throw new ConfigError('WITNESS_KEY must be 64 hexadecimal digits (openssl rand -hex 32).');
  if (witnessKey !== null && logKeys?.includes(witnessKey) === true)
    throw new ConfigError('WITNESS_KEY is a key of LOG_KEY, but it must be a key of its own.');
  const privateWitnesses = switchOf('PRIVATE_WITNESSES', false);
  const witnesses = entriesOf(text('WITNESSES')).map(([key, url]): Witness => {
    const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (keyNameOf(key, 4) === null || !isAddress || /[?#]/.test(url))
      return refuse(
        'WITNESSES',
        'a witness’s verifier key, a space, and its https address, or several, separated by semicolons',
      );
    if (new URL(url).protocol === 'http:' && !privateWitnesses)
      return refuse('WITNESSES', 'https addresses; http takes PRIVATE_WITNESSES=on');
    return { key, url: url.replace(/\/+$/, '') };
  });
  if (new Set(witnesses.map(({ key }) => key)).size < witnesses.length)
    refuse('WITNESSES', 'a list with each verifier key once');
  const witnessLogs = entriesOf(text('WITNESS_LOGS')).map(([key, origin]): WitnessedLog => {
    const name = keyNameOf(key, 1);
    if (name === null || /\p{Cc}/u.test(origin) || (origin || name).length > longestOrigin)
      return refuse(
        'WITNESS_LOGS',
        'a log’s verifier key, followed by a space and its origin if that isn’t the key’s name, or several, separated by semicolons',
      );
    return { key, origin: origin || name };
  });
  const trustedProxies = text('TRUSTED_PROXIES')?.split(/[\s,]+/) ?? loopback;
  const proxies = trustedProxies.join() === 'none' ? [] : trustedProxies;
  try {
    parseProxies(proxies);
  } catch {
    refuse('TRUSTED_PROXIES', 'none, or addresses and networks separated by commas, such as 10.0.0.7, 192.0.2.0/24');
  }
  const supportEmail = text('SUPPORT_EMAIL') ?? 'support@example.org';
  if (!/^[^\s@]+@[^\s@]+$/.test(supportEmail)) refuse('SUPPORT_EMAIL', 'an email address');
  const timeZone = text('TIME_ZONE') ?? 'UTC';
  if (!isTimeZone(timeZone)) refuse('TIME_ZONE', 'the name of a time zone such as Europe/Berlin, or UTC');
  const weeklySlots = parseSlots(text('WEEKLY_SLOTS') ?? defaultSlots);
  if (weeklySlots === null)
    throw new ConfigError(
      `WEEKLY_SLOTS is “${env.WEEKLY_SLOTS}”, but it must be a day, a time, and a length such as ${defaultSlots}, or several, separated by semicolons. Change it or remove it.`,
    );
  const smtpUrl = text('SMTP_URL');
  try {
    if (smtpUrl !== null) smtpOptions(smtpUrl);
  } catch {
    // The value may contain a password, so the message must not repeat it.
    throw new ConfigError(
      'SMTP_URL must be smtp://user:password@host:587 or smtps://user:password@host:465. Change it or remove it.',
    );
  }
  const mailFrom = text('MAIL_FROM') ?? text('SUPPORT_EMAIL');
  if (smtpUrl !== null && mailFrom === null)
    throw new ConfigError('MAIL_FROM is missing: with SMTP_URL, set it to the address that mail comes from.');
  if (mailFrom !== null && !/^([^<>@\r\n]+ )?<?[^\s@<>]+@[^\s@<>]+>?$/.test(mailFrom))
    refuse('MAIL_FROM', 'an email address, or Name <address>');
  const adminPassword = text('ADMIN_PASSWORD');
  if (adminPassword !== null && adminPassword.length < minAdminPasswordLength) {
    // The value is a secret, so the message must not repeat it.
    throw new ConfigError(
      `ADMIN_PASSWORD is too short: it must have at least ${minAdminPasswordLength} characters. Change it or remove it.`,
    );
  }
  const earlyAdopterUntil = text('EARLY_ADOPTER_UNTIL');
  if (earlyAdopterUntil !== null && !/^\d{4}-\d\d-\d\d(T|$)/.test(earlyAdopterUntil))
    refuse('EARLY_ADOPTER_UNTIL', 'a date such as 2027-01-31, or a date and time such as 2027-01-31T12:00:00Z');
  const earlyUntil = earlyAdopterUntil === null ? null : Date.parse(earlyAdopterUntil);
  // Date.parse reads February 30 as March 2.
  const day = earlyAdopterUntil?.slice(0, 10);
  if (Number.isNaN(earlyUntil) || (day !== undefined && new Date(day).toISOString().slice(0, 10) !== day))
    refuse('EARLY_ADOPTER_UNTIL', 'a date that exists, such as 2027-01-31');
  const production = env.NODE_ENV === 'production';

  return {
    port,
    apiPort,
    apiHost: text('API_HOST') ?? '127.0.0.1',
    apiOrigins: serviceAddresses('API_ORIGIN') ?? [`http://127.0.0.1:${apiPort}`],
    host: text('HOST') ?? '127.0.0.1',
    siteProcesses: processes === null ? null : Number(processes),
    dataDir,
    databaseUrl,
    databaseWait: Number(wait),
    adminPassword,
    sessionKeys,
    voterKey,
    logKeys,
    witnessKey,
    witnesses,
    witnessLogs,
    publicUrl: webAddress('PUBLIC_URL') ?? `http://localhost:${port}`,
    trustedProxies: proxies,
    siteName: text('SITE_NAME') ?? defaultSiteName,
    supportEmail,
    timeZone,
    weeklySlots,
    smtpUrl,
    mailFrom: smtpUrl === null ? null : mailFrom,
    analyticsScript: webAddresses('ANALYTICS_SCRIPT'),
    analyticsSite: text('ANALYTICS_SITE'),
    adsScript: webAddresses('ADS_SCRIPT'),
    embedVotingSites: origins('EMBED_VOTING_SITES'),
    earlyAdopterUntil: earlyUntil,
    rateLimit: switchOf('RATE_LIMIT', true),
    privateWebhooks: switchOf('PRIVATE_WEBHOOKS', false),
    privateWitnesses,
    demoData: switchOf('DEMO_DATA', !production),
    logLevel: level,
    production,
  };
}

/** The name of an Ed25519 verifier key (C2SP signed-note) of a type: 1, a log’s; 4, a witness’s. Null if its parts don’t match. */
function keyNameOf(text: string, type: 1 | 4): string | null {
  const [, name = '', id, encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([\w+/]{44})$/.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64');
  const expected = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), key])).slice(0, 8);
  return key.length === 33 && key[0] === type && id === expected ? name : null;
}

/** Entries separated by semicolons: their first word, and what follows it. */
function entriesOf(list: string | null): [string, string][] {
  return (list ?? '')
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [word = ''] = entry.split(/\s/, 1);
      return [word, entry.slice(word.length).trim()];
    });
}

/** The file (or `:memory:`) of a database address; null for PostgreSQL. */
export function sqlitePath(databaseUrl: string): string | null {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : null;
}

/** Where Node keeps what it has compiled; may be deleted at any time. */
export const compileCache = (dataDir: string): string => join(dataDir, 'cache', 'compile');

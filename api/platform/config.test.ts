import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import witnessVectors from '#domain/verification/fixtures/witness-vectors.json' with { type: 'json' };
import { ConfigError, readConfig } from './config.ts';

/** Verifier keys of a public witness, and of the checksum database of Go modules. */
const { witnessKey: witness } = witnessVectors.cosigned;
const { key: log } = witnessVectors.otherName;

describe('without any variable', () => {
  test('[D1.1 D1.2 D1.4] every value has its documented default', () => {
    const dataDir = resolve('./var');
    expect(readConfig({})).toEqual({
      port: 3000,
      privateWebhooks: false,
      apiPort: 4000,
      apiHost: '127.0.0.1',
      apiOrigins: ['http://127.0.0.1:4000'],
      host: '127.0.0.1',
      siteProcesses: null,
      dataDir,
      databaseWait: 30,
      logLevel: null,
      databaseUrl: `sqlite:${dataDir}/weathervane.sqlite`,
      adminPassword: null,
      sessionKeys: null,
      voterKey: null,
      logKeys: null,
      witnessKey: null,
      witnesses: [],
      witnessLogs: [],
      privateWitnesses: false,
      publicUrl: 'http://localhost:3000',
      trustedProxies: ['127.0.0.0/8', '::1'],
      siteName: 'Weathervane',
      supportEmail: 'support@example.org',
      timeZone: 'UTC',
      weeklySlots: [{ weekday: 1, time: '09:00', days: 7 }],
      smtpUrl: null,
      mailFrom: null,
      analyticsScript: null,
      analyticsSite: null,
      adsScript: null,
      embedVotingSites: [],
      earlyAdopterUntil: null,
      rateLimit: true,
      demoData: true,
      production: false,
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', ADMIN_PASSWORD: '' })).toEqual(readConfig({}));
  });
});

describe('with variables', () => {
  test('[D1.8] an admin password has 12 characters or more', () => {
    expect(readConfig({ ADMIN_PASSWORD: 'twelve chars' }).adminPassword).toBe('twelve chars');
    expect(() => readConfig({ ADMIN_PASSWORD: 'elevencharx' })).toThrow(
      'ADMIN_PASSWORD is too short: it must have at least 12 characters. Change it or remove it.',
    );
  });

  test('[D1.4] default URLs follow the ports', () => {
    const config = readConfig({ PORT: '8080', API_PORT: '8081' });
    expect([config.publicUrl, config.apiOrigins]).toEqual(['http://localhost:8080', ['http://127.0.0.1:8081']]);
  });

  test('witnesses have a key and an address, and logs that are witnessed a key and an origin', () => {
    const { witnesses } = readConfig({ WITNESSES: `${witness} https://witness.example/w/;` });
    expect(witnesses).toEqual([{ key: witness, url: 'https://witness.example/w' }]);
    const { witnessLogs } = readConfig({ WITNESS_LOGS: `${log}; ${log} go.sum database tree` });
    expect(witnessLogs.map(({ origin }) => origin)).toEqual(['sum.golang.org', 'go.sum database tree']);
    const local = { WITNESSES: `${witness} http://127.0.0.1:3000/integrity/witness`, PRIVATE_WITNESSES: 'on' };
    expect(readConfig(local).witnesses).toHaveLength(1);
    const key = 'ab'.repeat(32);
    expect(() => readConfig({ LOG_KEY: key, WITNESS_KEY: key })).toThrow('WITNESS_KEY is a key of LOG_KEY');
  });

  test('the site service runs in 1 to 32 processes', () => {
    const processes = (value: string) => readConfig({ SITE_PROCESSES: value }).siteProcesses;
    expect([processes('1'), processes('32')]).toEqual([1, 32]);
    for (const value of ['0', '33', '1.5', 'two'])
      expect(() => processes(value)).toThrow(
        `SITE_PROCESSES is “${value}”, but it must be a number from 1 to 32. Change it or remove it.`,
      );
  });

  test('the time zone and the weekly slots must be known ones', () => {
    expect(readConfig({ TIME_ZONE: 'Europe/Berlin' }).timeZone).toBe('Europe/Berlin');
    expect(() => readConfig({ TIME_ZONE: 'Mars/Olympus' })).toThrow(
      'TIME_ZONE is “Mars/Olympus”, but it must be the name of a time zone such as Europe/Berlin, or UTC. Change it or remove it.',
    );
    expect(readConfig({ WEEKLY_SLOTS: 'Friday 12:30, 2 days' }).weeklySlots).toEqual([
      { weekday: 5, time: '12:30', days: 2 },
    ]);
    expect(() => readConfig({ WEEKLY_SLOTS: 'weekly' })).toThrow('WEEKLY_SLOTS is “weekly”, but it must be a day');
  });

  test('mail comes from MAIL_FROM or a support address that is set, never from the example one', () => {
    const from = (env: Readonly<Record<string, string>>) =>
      readConfig({ SMTP_URL: 'smtp://mail.example', ...env }).mailFrom;
    expect(from({ MAIL_FROM: 'a@polls.example', SUPPORT_EMAIL: 'b@polls.example' })).toBe('a@polls.example');
    expect(from({ SUPPORT_EMAIL: 'b@polls.example' })).toBe('b@polls.example');
    expect(() => from({})).toThrow('MAIL_FROM is missing');
  });

  test('API_ORIGIN is one address or several', () => {
    const origins = (value: string) => readConfig({ API_ORIGIN: value }).apiOrigins;
    expect(origins('http://10.0.0.1:4000/')).toEqual(['http://10.0.0.1:4000']);
    expect(origins('http://10.0.0.1:4000, http://10.0.0.2:4000,http://10.0.0.1:4000')).toEqual([
      'http://10.0.0.1:4000',
      'http://10.0.0.2:4000',
    ]);
  });

  test('EARLY_ADOPTER_UNTIL is a date in UTC, or a date and time', () => {
    const until = (value: string) => readConfig({ EARLY_ADOPTER_UNTIL: value }).earlyAdopterUntil;
    expect(until('2027-01-31')).toBe(Date.parse('2027-01-31T00:00:00Z'));
    expect(until('2027-01-31T12:00:00Z')).toBe(Date.parse('2027-01-31T12:00:00Z'));
    const wrongDates = ['soon', '31.1.2027', '2027-13-01', '2027-02-30', '2027-02-29T12:00:00Z', '2027-04-31T00:00'];
    for (const wrong of wrongDates) expect(() => until(wrong)).toThrow('EARLY_ADOPTER_UNTIL');
  });

  test('[D1.1] site name, URL, support address, analytics, and advertisements are as configured', () => {
    const scripts = { ANALYTICS_SCRIPT: 'https://count.example/a.js', ADS_SCRIPT: 'https://ads.example/b.js' };
    const names = { SITE_NAME: 'Polls & Co', SUPPORT_EMAIL: 'desk@polls.example', ANALYTICS_SITE: 'polls.example' };
    expect(readConfig({ PUBLIC_URL: 'https://polls.example', ...names, ...scripts })).toMatchObject({
      publicUrl: 'https://polls.example',
      siteName: 'Polls & Co',
      supportEmail: 'desk@polls.example',
      analyticsScript: 'https://count.example/a.js',
      analyticsSite: 'polls.example',
      adsScript: 'https://ads.example/b.js',
    });
  });

  test('[D1.11] RATE_LIMIT=off disables the limits', () => {
    expect(['off', 'on'].map((value) => readConfig({ RATE_LIMIT: value }).rateLimit)).toEqual([false, true]);
  });

  test('[D1.12] production loads no demonstration data by default', () => {
    expect(readConfig({ NODE_ENV: 'production' }).demoData).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', DEMO_DATA: 'on' }).demoData).toBe(true);
  });

  test('[D1.9] keys are a list, newest first', () => {
    expect(readConfig({ SESSION_KEYS: 'a-newer-key-of-1, an-older-key-of-1' }).sessionKeys).toEqual([
      'a-newer-key-of-1',
      'an-older-key-of-1',
    ]);
  });

  test('a trailing slash is removed from a web address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://polls.example.org/' }).publicUrl).toBe('https://polls.example.org');
  });

  test('[D1.5] trusted proxies are those on this machine, or those named by address or network, or none', () => {
    const named = (value?: string) => readConfig(value === undefined ? {} : { TRUSTED_PROXIES: value }).trustedProxies;
    expect([named(), named('none'), named('10.0.0.7, 192.0.2.0/24 2001:db8::/32')]).toEqual([
      ['127.0.0.0/8', '::1'],
      [],
      ['10.0.0.7', '192.0.2.0/24', '2001:db8::/32'],
    ]);
  });

  test('a third-party script may name the servers that it needs', () => {
    expect(readConfig({ ADS_SCRIPT: ' https://ads.example/a.js  https://more.example/ ' }).adsScript).toBe(
      'https://ads.example/a.js https://more.example',
    );
    expect(readConfig({ ADS_SCRIPT: ' ' }).adsScript).toBeNull();
  });

  test('visitors may vote in the pages of several sites', () => {
    const sites = 'https://news.example https://blog.example:8443 http://localhost:5000';
    expect(readConfig({ EMBED_VOTING_SITES: sites }).embedVotingSites).toEqual(sites.split(' '));
  });
});

test.each([
  ['PORT', '0'],
  ['PORT', 'http'],
  ['API_PORT', '70000'],
  ['API_PORT', '3000'],
  ['API_ORIGIN', 'localhost:4000'],
  ['API_ORIGIN', 'http://10.0.0.1:4000,'],
  ['API_PORT', '4190'],
  ['PORT', '6000'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_WAIT', 'long'],
  ['LOG_LEVEL', 'loud'],
  ['ADMIN_PASSWORD', 'elevencharx'],
  ['SESSION_KEYS', 'long-enough-key-1,short'],
  ['VOTER_KEY', '31 characters are not enough ..'],
  ['LOG_KEY', 'not hexadecimal'],
  ['WITNESS_KEY', 'not hexadecimal'],
  ['WITNESSES', 'https://witness.example'],
  ['WITNESSES', witness],
  ['WITNESSES', `${witness} ftp://witness.example`],
  ['WITNESSES', `${witness} http://witness.example`],
  ['WITNESSES', `${witness} https://witness.example; ${witness} https://other.example`],
  ['WITNESSES', `${log} https://witness.example`],
  ['WITNESS_LOGS', witness],
  ['WITNESS_LOGS', `${log} ${'x'.repeat(256)}`],
  ['PRIVATE_WITNESSES', 'maybe'],
  ['PUBLIC_URL', 'polls.example.org'],
  ['SUPPORT_EMAIL', 'nobody'],
  ['SMTP_URL', 'https://mail.example.org'],
  ['MAIL_FROM', 'nobody'],
  ['ANALYTICS_SCRIPT', 'ftp://x.example'],
  ['ADS_SCRIPT', 'script'],
  ['ADS_SCRIPT', 'https://ads.example/a.js, https://more.example'],
  ['ADS_SCRIPT', 'https://ads.example/a.js more.example'],
  ['EMBED_VOTING_SITES', 'news.example'],
  ['EMBED_VOTING_SITES', 'https://news.example/'],
  ['EMBED_VOTING_SITES', 'http://news.example'],
  ['EMBED_VOTING_SITES', 'https://*.example'],
  ['EMBED_VOTING_SITES', 'https://news.example;default-src'],
  ['EMBED_VOTING_SITES', "https://news.example 'self'"],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['TRUSTED_PROXIES', 'cdn.example'],
  ['TRUSTED_PROXIES', '10.0.0.1, none'],
  ['RATE_LIMIT', 'maybe'],
  ['DEMO_DATA', '2'],
])('[D1.3] %s=%s stops the start with a message that names the variable', (name, value) => {
  const attempt = () => readConfig({ [name]: value });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(new RegExp(`^${name} .*[.]$`));
});

test.each(['ADMIN_PASSWORD', 'SESSION_KEYS', 'VOTER_KEY', 'LOG_KEY', 'WITNESS_KEY'])(
  '[D1.3] the message about %s does not repeat the secret',
  (name) => {
    expect(() => readConfig({ [name]: 's3cret' })).toThrow(/^(?!.*s3cret)/);
  },
);

test('the message about DATABASE_URL names its scheme and not its password', () => {
  const attempt = () => readConfig({ DATABASE_URL: 'mysql://site:s3cret@db/polls' });
  expect(attempt).toThrow(/^DATABASE_URL starts with “mysql”, but it must be postgres:(?!.*s3cret)/);
  expect(() => readConfig({ DATABASE_URL: 's3cret' })).toThrow(/^(?!.*s3cret)/);
});

test('[D1.2] .env.example lists every variable that is read, with its default', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  read.delete('NODE_ENV');
  const example = readFileSync('.env.example', 'utf8');
  const listed = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual([...read].sort());
  const values = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);
  expect(readConfig(Object.fromEntries(values))).toEqual(readConfig({}));
});

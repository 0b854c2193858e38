import { challengeMs } from '#api/members/accounts/passkey-challenges.service.ts';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fillFacts } from '#api/content/blog/facts.service.ts';
import { rateLimits } from '#contract/rate-limits.ts';
import { deviceIdPattern } from '#contract/vocabulary.ts';
import { seenCookieDays } from '#domain/seen-results.ts';
import { sessionDays } from '#platform/session.ts';
import { deviceCookieDays as knownCookieDays } from '#api/members/accounts/known-devices.service.ts';
import { voterCookieDays } from '#api/voting/voter.ts';
import { deviceCookieDays, receiptCookieMinutes } from '#site/polls/voting/form-vote.ts';

/*
 * Compares the Privacy Policy with the code, so that adding a cookie or a storage key, or changing a limit, requires
 * changing the policy in the same commit.
 */

const policy = fillFacts(readFileSync('content/legal/privacy.md', 'utf8'));

/** Rows of the table with this first heading: the names in code spans of the first cell, and the other cells. */
function table(heading: string): { names: string[]; cells: string[] }[] {
  const lines = policy.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${heading} +\\|`).test(line));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const [first = '', ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const names = [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
    return { names: names.length > 0 ? names : [first], cells };
  });
}

const sources = (folders: string) =>
  globSync(`${folders}/**/*.{ts,tsx,astro,mjs}`)
    .filter((file) => !/\.test\.tsx?$|\/(e2e|fixtures|testing|bench)\//.test(file))
    .map((file) => ({ file, code: readFileSync(file, 'utf8') }));

/** Every browser storage key that a page reads or writes, with its kind of storage. */
function storageKeys(): { file: string; storage: string; key: string }[] {
  return sources('site').flatMap(({ file, code }) => {
    const uses = [...code.matchAll(/\b(local|session)Storage\b(?:\.(?:get|set|remove)Item\(\s*([^,)]+))?/g)];
    return uses.map(([, storage = '', argument]) => ({ file, storage, key: keyOf(argument?.trim(), code, file) }));
  });

  // A literal, a constant of the file or of one beside it, or a fixed prefix to which the file or a function of it appends.
  function keyOf(argument: string | undefined, code: string, file: string): string {
    if (argument === undefined) return 'a use of the storage that this test cannot follow';
    const literal = /^['"`]([^'"`]+)['"`]$/.exec(argument)?.[1];
    if (literal !== undefined) return literal;
    const name = /^\w+/.exec(argument)?.[0] ?? '';
    const from = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '\\./([\\w-]+\\.tsx?)'`).exec(code)?.[1];
    const defining = from === undefined ? code : readFileSync(join(dirname(file), from), 'utf8');
    const constant = new RegExp(`const ${name} = ['"]([^'"]+)['"]`).exec(defining)?.[1];
    const made = new RegExp(`const ${name} = (?:[^\\n]*=>\\s*)?\`([^$\`]+)\\$\\{`).exec(code)?.[1];
    return constant ?? made ?? `a key that this test cannot follow: ${argument}`;
  }
}

test('[S2.78] the policy lists every browser storage key with its kind of storage', () => {
  const told = table('Key').flatMap(({ names, cells }) => names.map((key) => ({ key, where: cells[0] ?? '' })));
  expect(told.length).toBeGreaterThan(3);
  const kept = storageKeys();
  const untold = kept.filter(
    ({ key, storage }) =>
      !told.some((row) => row.key === key && row.where.startsWith(storage === 'local' ? 'local' : 'this tab')),
  );
  expect(untold).toEqual([]);
  const keys = new Set(kept.map(({ key }) => key));
  expect(told.map(({ key }) => key).filter((key) => !keys.has(key))).toEqual([]);
});

test('pages store nothing in the browser by other means, but a copy of the list of receipts', () => {
  const other = /\bindexedDB\b|\bcaches\.(open|match)|navigator\.serviceWorker|cookieStore/;
  const found = sources('site').filter(({ code }) => other.test(code));
  expect(found.map(({ file }) => file)).toEqual(['site/verification/offline-copy.ts']);
  const [{ code } = { code: '' }] = found;
  expect([...code.matchAll(/const (?:cacheName|scope) = '(.+)'/g)].map(([, value]) => value)).toEqual([
    'weathervane-my-votes',
    '/my-votes',
  ]);
  expect(policy).toContain('[My Votes](/my-votes) keeps a copy of itself');
  // Neither the page nor its worker stores responses of the API.
  const worker = readFileSync('site/public/my-votes-worker.js', 'utf8');
  expect(worker).toContain("pathname.startsWith('/api/')) return;");
  expect(worker).not.toMatch(/\.(?:put|add|addAll)\(/);
});

test('[S2.78] the policy lists every cookie in the code with its lifetime', () => {
  const told = table('Cookie').flatMap(({ names, cells }) =>
    names.map((name) => ({ name, lasts: cells.at(-1) ?? '' })),
  );
  const named = new Set(
    sources('{api,site}').flatMap(({ code }) => [...code.matchAll(/['"`](wv_\w+)/g)].map(([, name]) => name ?? '')),
  );
  expect([...named].sort()).toEqual([
    'wv_account',
    'wv_device',
    'wv_embed',
    'wv_known',
    'wv_passkey',
    'wv_receipt',
    'wv_seen',
    'wv_session',
    'wv_voter',
  ]);
  expect([...new Set(told.map(({ name }) => name.replace(/\.sig$/, '')))].sort()).toEqual([...named].sort());
  for (const { name, lasts } of told) {
    const kept: Record<string, string> = {
      wv_voter: `${voterCookieDays} days`,
      wv_embed: `${voterCookieDays} days`,
      wv_device: `${deviceCookieDays} days`,
      wv_receipt: `${receiptCookieMinutes} minutes`,
      wv_seen: `${seenCookieDays} days`,
      wv_known: `${knownCookieDays} days`,
      wv_passkey: `${challengeMs / 60_000} minutes`,
    };
    expect([name, lasts]).toEqual([name, kept[name] ?? `${sessionDays} days after last use`]);
  }
});

test('[S1.19 S2.78] data is kept as long as the policy says', () => {
  const kept = new Map(table('What').map(({ names, cells }) => [names[0], cells[0] ?? '']));
  expect(kept.get('Sessions')).toContain(`${sessionDays} days after the last use`);
  expect(kept.get('Poll responses (answer, day, marks)')).toBe('indefinitely');

  // Limits counted in the database, by the names in the modules that count them. A known address is not a limit.
  const isLimit = (name: string) => name in rateLimits && !/signedInBefore$/i.test(name);
  const countedIn = (folders: string) =>
    new Set(
      sources(folders)
        .flatMap(({ code }) => [...code.matchAll(/\['(\w+)', /g)].map(([, name]) => name ?? ''))
        .filter(isLimit),
    );
  const span = (names: Iterable<string>) => {
    const windows = [...names].map((name) => rateLimits[name as keyof typeof rateLimits].seconds);
    return [Math.min(...windows), Math.max(...windows)];
  };
  const registrationDays = rateLimits.registerFromSubnetDaily.seconds / 86_400;
  const passwords = countedIn('api/members/accounts');
  const inAnHour = [...passwords].filter((name) => name !== 'registerFromSubnetDaily');
  const contributions = countedIn('api/{voting,polls,comments,integrity,moderation,members/profile}');
  const mailed = ['invitationMail', 'invitationMailTo'] as const;
  const contributionsInAnHour = [...contributions].filter((name) => !mailed.some((one) => one === name));
  const operators = countedIn('api/admin');
  // All other limits are counted in memory; votes are too, up to a few.
  const others = Object.keys(rateLimits).filter(
    (name) => isLimit(name) && ![passwords, contributions, operators].some((names) => names.has(name)),
  );
  expect(others.sort()).toEqual(['account', 'read', 'readInRoom', 'share', 'voteRequests']);
  const known = rateLimits.signedInBefore.seconds / 86_400;
  expect(rateLimits.adminSignedInBefore.seconds / 86_400).toBe(known);
  expect(kept.get('Counts of password attempts')).toBe(
    `a minute to an hour; registrations of a network, a day; the fact that an address is known to an account or to the operator’s page, ${known} days`,
  );
  expect(policy).toContain(
    'for 15 minutes to an hour (registrations of a network also for a day); wrong passwords on the operator’s page, for a minute to an hour',
  );
  expect(registrationDays).toBe(1);
  expect([span(operators), span(inAnHour)]).toEqual([
    [60, 3_600],
    [15 * 60, 3_600],
  ]);
  expect(policy).toContain(`remembers for ${known} days that this address is known`);
  expect([span([...others, 'vote', 'pollVotes']), span(contributionsInAnHour)]).toEqual([
    [60, 3_600],
    [60, 3_600],
  ]);
  expect(kept.get('Counts of requests per address')).toBe('a minute to an hour, in memory');
  expect(kept.get('Counts of votes and contributions')).toBe('a minute to an hour; invitations by email, a day');
  expect(policy).toContain('for a minute to an hour, and invitations by email for a day.');
  expect(mailed.map((name) => rateLimits[name].seconds)).toEqual([86_400, 86_400]);
});

test('[S1.5 S1.7] the device id is made of what the policy says, and stored as the digest it names', () => {
  const code = readFileSync('site/client/device-id.ts', 'utf8');
  for (const [told, done] of [
    ['the user agent', 'navigator.userAgent'],
    ['the screen’s resolution and color depth', 'screen.width}x${screen.height}x${screen.colorDepth'],
    ['the time zone offset', 'getTimezoneOffset()'],
    ['a small drawing', 'toDataURL()'],
    ['a locally generated random number', 'crypto.getRandomValues'],
  ] as const)
    expect([told, policy.includes(told), code.includes(done)]).toEqual([told, true, true]);
  // Each trait is a line of the list.
  expect(/const traits = \[([^;]*)\];/.exec(code)?.[1]?.match(/,\n/g)).toHaveLength(4);
  expect(deviceIdPattern).toMatch(/^\^device_/);
  expect(policy).toContain('HMAC-SHA-256 with a secret key');
  expect(readFileSync('api/voting/voter.ts', 'utf8')).toContain("digests.deviceAndSecret(hash('sha256', deviceId");
  expect(readFileSync('api/platform/voter-digest.ts', 'utf8')).toContain('hmacSha256(Buffer.from(voterKey))');
  expect(policy).toContain('argon2id');
  expect(readFileSync('api/platform/password-hash.ts', 'utf8')).toContain("'argon2id'");
});

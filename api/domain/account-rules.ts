import * as limits from '#contract/limits.ts';
import type { Finding } from '#texts/field-errors.ts';
import { mixesAlphabets } from './mixed-alphabets.ts';
import { hasHiddenCharacters, trimText } from './visible-text.ts';

/** What a person wants to be called; null or undefined: not given. */
interface PersonNames {
  readonly username?: string | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}

/** A name as it is stored: NFC-normalized and trimmed; null for none. */
export function normalizeName(name: string | null | undefined): string | null {
  return trimText((name ?? '').normalize('NFC')) || null;
}

/**
 * Two usernames or email addresses with the same key count as the same, with or without an @ before a username. The domain in
 * a key is in ASCII (xn--…).
 */
export function accountKey(nameOrEmail: string): string {
  const key = nameOrEmail.normalize('NFC').trim().toLowerCase().replace(/^@/, '');
  const domainAt = key.lastIndexOf('@') + 1;
  return domainAt === 0 ? key : key.slice(0, domainAt) + asciiDomain(key.slice(domainAt));
}

/** An international domain in ASCII, as the URL standard has it; anything else stays. */
function asciiDomain(domain: string): string {
  if (!/\P{ASCII}/u.test(domain) || /[\s/?#:@%[\]\\]/.test(domain)) return domain;
  return URL.parse(`http://${domain}`)?.hostname ?? domain;
}

/** The keys of a username in running text, likeliest first: a dot or dash at its end may be the sentence’s. */
export function usernameKeys(written: string): string[] {
  const key = accountKey(written);
  return [...new Set([key, key.replace(/[.-]+$/, '')])];
}

/**
 * Validates what people may be called, on the server and in the browser: nothing invisible, and nothing that reads like a
 * username, this site, or the people who run it. Empty when valid. Browsers that don’t know the site’s name leave it out.
 */
export function nameFindings({ username, ...given }: PersonNames, siteName = ''): Finding[] {
  const [firstName, lastName] = [normalizeName(given.firstName), normalizeName(given.lastName)];
  const findings = [
    ...(username !== undefined && isReserved(username, siteName) ? [finding('username', 'reserved')] : []),
    ...spellingFindings('firstName', firstName),
    ...spellingFindings('lastName', lastName),
  ];
  const full = [firstName, lastName].filter((name) => name !== null).join(' ');
  if (isReserved(full, siteName)) findings.push(finding(firstName === null ? 'lastName' : 'firstName', 'reserved'));
  return findings;
}

const finding = (field: keyof PersonNames, keyword: string, params: Finding['params'] = {}): Finding => ({
  ...{ instancePath: `/${field}`, keyword, params },
});

function spellingFindings(field: 'firstName' | 'lastName', name: string | null): Finding[] {
  if (name === null) return [];
  if (hasHiddenCharacters(name) || !name.isWellFormed()) return [finding(field, 'unprintable')];
  if (/[@＠]/.test(name)) return [finding(field, 'handle')];
  if (mixesAlphabets(name)) return [finding(field, 'lookalike')];
  // Normalization can lengthen a text after the schema has checked it.
  if (Array.from(name).length > limits.personName) return [finding(field, 'maxLength', { limit: limits.personName })];
  return [];
}

/** Letters that digits and “l” are read as. */
const lookalikes: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'i', l: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' },
};

/** Words for those who run a site or a poll: no word of a name is one. Keep the marks beside names among them. */
const roles = wordSet(
  'admin administrator administration creator moderator moderation operator staff sysadmin webmaster',
);

/** Words that name no person: no name has only such words. Logs use some of them for others than members. */
const impersonal = wordSet(
  'anonymous detector editor everyone help helpdesk info mod official owner root security site someone support system team terminal the this',
);

/** The site’s words for the creator of a poll who has deleted the account. */
const formerMember = 'former member';

/** Whether a name reads like that of the site or of those who run it. */
function isReserved(name: string, siteName: string): boolean {
  // Capitals may begin a word, as in “TheAdmin,” or not, as in “aDmIn.”
  return [name, name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')].map(wordsOf).some((words) => {
    if (words.length === 0) return false;
    if (words.some((word) => roles.has(word)) || words.every((word) => impersonal.has(word))) return true;
    return [siteName, formerMember].map(wordsOf).some((phrase) => hasRun(words, phrase.join('')));
  });
}

/** Whether some of these words in a row make up the letters. */
function hasRun(words: readonly string[], letters: string): boolean {
  const runs = words.flatMap((_, from) => words.slice(from).map((_, more) => words.slice(from, from + more + 1)));
  return letters !== '' && runs.some((run) => run.join('') === letters);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(wordsOf(words));
}

/** The words of a name without what readers overlook: case, accents, numbers at the ends, a plural, and letters that look alike. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase().replace(/^\d+|\d+$/g, ''))
    .map((word) => word.replace(/[0134578l]/g, (letter) => lookalikes[letter]!).replaceAll('rn', 'm'))
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .filter((word) => word !== '');
}

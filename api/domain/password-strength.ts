import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { PasswordWeakness } from '#contract/vocabulary.ts';
import type { Finding } from '#texts/field-errors.ts';

/** Characters of a password that are assessed: the time grows quadratically, to 60 ms for this many. */
const assessedLength = 24;
/** The lowest accepted score: a million guesses, while a thousand per hour are possible. */
const lowestScore = 2;

// Building this takes a third of a second, so it is built once, when the module is loaded.
const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: assessedLength });

/** What a password must not resemble: data of its account. */
export interface PasswordOwner {
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
}

/** How hard a password is to guess: zxcvbn’s score from 0 to 4, with the reason for a low one. */
export interface PasswordStrength {
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly weakness: PasswordWeakness;
}

/** zxcvbn’s warnings; its list of common passwords also contains names and words. */
const weaknesses: Readonly<Record<string, PasswordWeakness>> = {
  userInputs: 'own',
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'common',
  namesByThemselves: 'common',
  commonNames: 'common',
};

/** Assesses a password; `siteName` is as easy to guess as the data of the account. */
export function passwordStrength(password: string, owner: PasswordOwner, siteName = ''): PasswordStrength {
  const { score, feedback } = estimator.check(password.normalize('NFC'), ownWords(owner, siteName));
  return { score, weakness: weaknesses[feedback.warning ?? ''] ?? 'guessable' };
}

/** The finding for a password that is too easy to guess; empty for others. */
export function passwordFindings(field: string, { score, weakness }: PasswordStrength): Finding[] {
  return score < lowestScore ? [{ keyword: 'weak', instancePath: `/${field}`, params: { weakness } }] : [];
}

/** Each datum as a whole and in parts, since passwords contain parts: "annsmith99" of ann.smith@example.org. */
function ownWords({ username, email, firstName, lastName }: PasswordOwner, siteName: string): string[] {
  const [local = '', domain = ''] = (email ?? '').split('@');
  const names = [firstName ?? '', lastName ?? ''];
  const words = [
    username ?? '',
    email ?? '',
    local,
    domain,
    ...names,
    names.join(''),
    names.toReversed().join(''),
    siteName,
  ];
  const parts = words.flatMap((word) => [word, word.replace(/[^\p{L}\p{N}]/gu, ''), ...word.split(/[^\p{L}\p{N}]+/u)]);
  // Shorter parts occur in passwords by chance.
  return [...new Set(parts.map((part) => part.normalize('NFC').toLowerCase()))].filter((part) => part.length >= 3);
}

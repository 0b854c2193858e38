import { createHmac, hash, randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { solvedChallengeSchema } from '#contract/challenge.ts';
import type { Challenge, SolvedChallenge } from '#contract/challenge.ts';
import { isSecureContext } from '#domain/protection.ts';
import { challengeCost, challengeMs, challengeTries, isHardEnough } from '#domain/integrity/difficulty.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { compileSchema } from '#platform/validation.ts';

/** Characters of a solution in a header; more is none. */
const solutionLength = 2_000;

const isSolved = compileSchema<SolvedChallenge>(solvedChallengeSchema, 'json');

/** A vote that needs a challenge: `nearby` counts recent votes from the same subnet. */
export interface ChallengedVote {
  readonly nearby: () => Promise<number>;
  readonly solution: string;
}

/**
 * Challenges for votes (handbook decision 170): proofs of work in the format of ALTCHA. The result resolves if the vote has a
 * solution, and throws CHALLENGE_REQUIRED with a new challenge otherwise. Null where browsers can’t solve any.
 */
export function voteChallenges(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: { runExclusive<T>(work: () => Promise<T>): Promise<T> };
  /** Signs challenges; the same in all processes. */
  readonly secret: string;
  readonly publicUrl: string;
}): ((ballotId: string, vote: ChallengedVote) => Promise<void>) | null {
  const { db, clock, intake, secret, publicUrl } = context;
  // Other pages have no WebCrypto, so that no browser could solve a challenge.
  if (!isSecureContext(publicUrl)) return null;
  const secretFor = (use: string) => createHmac('sha256', secret).update(use).digest('base64url');
  const secrets = {
    hmacSignatureSecret: secretFor('challenge'),
    hmacKeySignatureSecret: secretFor('challenge key'),
  };

  const create = async (ballotId: string, nearby: number): Promise<Challenge> => {
    const tries = challengeTries(nearby);
    const data = { ballot: ballotId, expires: clock.now() + challengeMs, tries };
    const counter = randomInt(tries);
    const how = { algorithm: 'PBKDF2/SHA-256', cost: challengeCost, deriveKey, counter, data, ...secrets };
    return (await createChallenge(how)) as Challenge;
  };

  const isValid = async (ballotId: string, nearby: number, text: string): Promise<boolean> => {
    const solved = parseSolution(text);
    if (solved === null) return false;
    const { challenge, solution } = solved;
    const { nonce, data } = challenge.parameters;
    if (data.ballot !== ballotId || data.expires <= clock.now() || !isHardEnough(data.tries, nearby)) return false;
    const { verified } = await verifySolution({ challenge, solution: { time: 0, ...solution }, deriveKey, ...secrets });
    // Only afterwards: a forged challenge must not use up the nonce of another one.
    return verified && (await intake.runExclusive(() => useOnce(db, nonce, data.expires)));
  };

  return async (ballotId, { nearby: countNearby, solution }) => {
    const nearby = await countNearby();
    if (solution !== '' && (await isValid(ballotId, nearby, solution))) return;
    throw errors.challengeRequired(await create(ballotId, nearby));
  };
}

/** The solution in a header; null if it isn’t one. */
function parseSolution(text: string): SolvedChallenge | null {
  if (text.length > solutionLength) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return isSolved(value) ? value : null;
  } catch {
    return null;
  }
}

/** Records that a challenge was used; false if it had been. One statement, so that of several requests one succeeds. */
async function useOnce(db: Database, nonce: string, expires: number): Promise<boolean> {
  const key = hash('sha256', `challenge ${nonce}`, 'base64url');
  const used = await db('attempts')
    .insert({ key, used: 1, resets_at: expires })
    .onConflict('key')
    .ignore()
    .returning('key');
  return used.length === 1;
}

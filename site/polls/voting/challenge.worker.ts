import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from '#contract/challenge.ts';

/** Solves the challenge that it gets, in the background of the page; null when that takes more than a minute and a half. */
self.onmessage = async ({ data: challenge }: MessageEvent<Challenge>) => {
  postMessage(await solveChallenge({ challenge, deriveKey }));
};

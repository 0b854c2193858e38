import type { Challenge, SolvedChallenge } from '#contract/challenge.ts';

/** Solves a challenge in a worker; resolves to what the vote is sent again with, and rejects where the browser can’t. */
export async function solve(challenge: Challenge): Promise<string> {
  const worker = new Worker(new URL('./challenge.worker.ts', import.meta.url), { type: 'module' });
  try {
    const solution = await new Promise<SolvedChallenge['solution'] | null>((solved, failed) => {
      worker.onmessage = ({ data }: MessageEvent<SolvedChallenge['solution'] | null>) => solved(data);
      worker.onerror = () => failed(new Error('The challenge could not be solved.'));
      worker.postMessage(challenge);
    });
    if (solution === null) throw new Error('The challenge took too long.');
    // Base64 needs bytes; a challenge and its solution are plain ASCII.
    return btoa(JSON.stringify({ challenge, solution }));
  } finally {
    worker.terminate();
  }
}

import type { Voters } from '#api/voting/voter.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import { guess } from './guesses.service.ts';

interface GuessRoutesContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly voters: Voters;
}

/** The endpoint of guesses. They have their own limit, and don’t count toward those of votes. */
export function mountGuesses(router: EndpointRouter, context: GuessRoutesContext): void {
  router.mount('guess', async ({ params, body, ctx }) => {
    await context.attempts.count([['guess', clientAddress(ctx)]], errors.rateLimited);
    return guess(context, params.id, body, context.voters.of(ctx));
  });
}

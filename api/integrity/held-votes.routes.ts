import type { Attempts } from '#platform/attempts.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import { accountSince } from '#platform/session.ts';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { chosenIn, circumstancesOf, nonceOf } from '#api/voting/voter.ts';
import type { Voters } from '#api/voting/voter.ts';
import { holdVote } from './held-votes.service.ts';
import type { HeldVotesContext } from './held-votes.service.ts';

/** The endpoint for votes of browsers that can’t solve a challenge. */
export function mountHeldVotes(
  router: EndpointRouter,
  context: HeldVotesContext & { readonly attempts: Attempts; readonly voters: Voters },
): void {
  const { attempts, clock, voters } = context;
  router.mount('holdVote', async ({ body: { pollId, ...body }, ctx }) => {
    const chosen = chosenIn(body);
    const { voter, hadCookie, remember } = voters.identify(ctx);
    const nonce = nonceOf(ctx);
    await attempts.count([['heldVotesFromAddress', clientAddress(ctx)]], errors.rateLimitedPoll);
    const hold = () =>
      holdVote(context, {
        ...{ pollId, ...chosen, voter, nonce, hadCookie },
        ...{ accountSince: accountSince(ctx, clock.now()), circumstances: circumstancesOf(ctx, pollId) },
      });
    // Refused votes of a few must not use up what others may cast.
    const { receipt, promise } = await attempts.spend([['heldVotesOnPoll', pollId]], hold, errors.rateLimitedPoll);
    remember();
    const text = promise();
    return { receipt, promise: text === null ? null : (JSON.parse(text) as ResponseOf<'holdVote'>['promise']) };
  });
}

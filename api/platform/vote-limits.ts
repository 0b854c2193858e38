import type { Context } from 'koa';
import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from './clock.ts';
import { CrowdCounter } from './crowd-counter.ts';
import { errors } from './errors.ts';
import { clientAddress, rateLimit } from './middleware.ts';
import { subnetOf } from './nearby.ts';
import { signedInUser } from './signed-in.ts';

/**
 * What a vote has to pass before it is cast (handbook decision 134): so many a minute from one address, whatever the poll,
 * and so many an hour on one poll from one address and from its neighbours. Members do not meet the limits of an hour:
 * an account has one vote anyway, and it is their way past a neighbour who uses them up.
 */
export function voteLimits(clock: Clock): (ctx: Context, pollId: string) => Promise<void> {
  const { vote, pollVotes, pollVotesNearby } = serverLimits.rate;
  const perMinute = rateLimit(vote);
  const hourly = new CrowdCounter(pollVotes.seconds * 1_000);
  return async (ctx, pollId) => {
    await perMinute(ctx);
    if (signedInUser(ctx) !== null) return;
    const now = clock.now();
    const address = clientAddress(ctx);
    const here = hourly.count(`${pollId} ${address}`, now);
    // What is refused for its own address does not use up what its neighbours may send.
    if (here > pollVotes.points || hourly.count(`${pollId} ${subnetOf(address)}`, now) > pollVotesNearby.points)
      throw errors.rateLimitedPoll(hourly.secondsLeft(now));
  };
}

import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from './clock.ts';
import { CrowdCounter } from './crowd-counter.ts';
import { errors, HttpError } from './errors.ts';
import { clientAddress } from './middleware.ts';
import { subnetOf } from './nearby.ts';
import { establishedUser } from './signed-in.ts';
import type { VoteCounter } from './vote-counter.ts';

/**
 * Casts a vote within its limits (handbook decision 121). `cast` is given the counters that the vote is counted against
 * when it is recorded. Throws RATE_LIMITED, and what `cast` throws.
 */
export type LimitedVote = <T>(
  ctx: Context,
  pollId: string,
  cast: (counters: readonly VoteCounter[]) => Promise<T>,
) => Promise<T>;

/** What is counted of one request: a limit of `serverLimits.rate`, and whose it is. */
type Counted = readonly [limit: VoteCounter['limit'], subject: string];

/**
 * The limits on votes: recorded votes by address and by network, rejected ones by address, and requests of any kind.
 * `secret` keys the digests that the database keeps; switched off, nothing is ever refused.
 */
export function voteLimits(context: {
  readonly clock: Clock;
  readonly secret: string;
  /** Counts what was rejected; false when its limit is known to be used up. */
  readonly intake: { count(counter: VoteCounter): boolean };
  readonly on: boolean;
}): LimitedVote {
  const { clock, secret, intake, on } = context;
  if (!on) return (_ctx, _pollId, cast) => cast([]);
  const { rate, votesUnshared } = serverLimits;
  const minutes = new CrowdCounter(60_000);
  const hours = new CrowdCounter(3_600_000);
  const windowsOf = (limit: VoteCounter['limit']) => (rate[limit].seconds === 60 ? minutes : hours);

  const countHere = ([limit, subject]: Counted, now: number) => windowsOf(limit).count(`${limit} ${subject}`, now);
  const sharedCounter = ([limit, subject]: Counted, now: number): VoteCounter => {
    const resetsAt = windowsOf(limit).endsAt(now);
    // With SHA-3 the key in front is enough, as for the voter cookie.
    const key = hash('sha3-256', `${secret} ${limit} ${subject} ${resetsAt}`, 'base64url');
    return { limit, key, points: rate[limit].points - votesUnshared, resetsAt };
  };

  return async (ctx, pollId, cast) => {
    const now = clock.now();
    const address = clientAddress(ctx);
    const member = establishedUser(ctx, now);
    // A neighbor cannot use up the requests of a member.
    if (minutes.count(`request ${member ?? address}`, now) > rate.voteRequests.points)
      throw errors.rateLimited((minutes.endsAt(now) - now) / 1_000);
    const counted: Counted[] = [['vote', address]];
    if (member === null)
      counted.push(['pollVotes', `${pollId} ${address}`], ['pollVotesNearby', `${pollId} ${subnetOf(address)}`]);
    // The counters of all processes come in where this one has seen more than a handful of votes.
    const counters = counted.filter((one) => countHere(one, now) > votesUnshared).map((one) => sharedCounter(one, now));
    try {
      return await cast(counters);
    } catch (error) {
      // Only recorded votes use up a limit.
      for (const [limit, subject] of counted) windowsOf(limit).takeBack(`${limit} ${subject}`, now);
      if (isRejection(error)) {
        const rejected: Counted = ['rejectedVotes', address];
        const here = countHere(rejected, now);
        const isFull =
          here > rate.rejectedVotes.points || (here > votesUnshared && !intake.count(sharedCounter(rejected, now)));
        if (isFull) throw errors.rateLimited((minutes.endsAt(now) - now) / 1_000);
      }
      throw error;
    }
  };
}

/** Whether a vote was rejected for what it is, and not for a limit or a failure of ours. */
function isRejection(error: unknown): boolean {
  return error instanceof HttpError && error.status < 500 && error.status !== 429;
}

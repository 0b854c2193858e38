import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { rateLimits } from '#contract/rate-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { CountMinSketch } from './count-min-sketch.ts';
import { errors, HttpError } from '#platform/errors.ts';
import { clientAddress } from '#platform/middleware.ts';
import { signedInUser } from '#platform/session.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { VoteCounter } from './vote-batch.ts';

/**
 * Casts a vote within its limits (handbook decision 121). `cast` gets the counters that the vote counts against when it
 * is recorded, and a function that counts the votes on the poll from the same subnet in this hour, with this one and about those
 * of other processes, 0 for a vote with a code. Throws RATE_LIMITED, and what `cast` throws.
 */
export type LimitedVote = <T>(
  ctx: Context,
  pollId: string,
  /** The valid code of a screen that the vote comes with; null: none. */
  code: string | null,
  cast: (counters: readonly VoteCounter[], nearby: () => Promise<number>) => Promise<T>,
) => Promise<T>;

/** Votes of one address or network that a process counts locally before it shares their count with the others. */
export const votesUnshared = 20;

/** What one request counts against: a limit, and its subject. */
type Counted = readonly [limit: VoteCounter['limit'], subject: string];

/**
 * The limits on votes: recorded votes by address and by subnet, or by the code of a screen; rejected ones by address, and
 * requests of any kind. `secret` keys the digests that the database keeps; when `on` is false, nothing is refused.
 */
export function voteLimits(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly secret: string;
  /** Counts a rejected vote; false when its limit is known to be used up. */
  readonly intake: { count(counter: VoteCounter): boolean };
  readonly on: boolean;
}): LimitedVote {
  const { db, clock, secret, intake, on } = context;
  if (!on) return (_ctx, _pollId, _code, cast) => cast([], () => Promise.resolve(0));
  const minutes = new CountMinSketch(60_000);
  const hours = new CountMinSketch(3_600_000);
  const windowsOf = (limit: VoteCounter['limit']) => (rateLimits[limit].seconds === 60 ? minutes : hours);

  const countLocally = ([limit, subject]: Counted, now: number) => windowsOf(limit).count(`${limit} ${subject}`, now);
  const sharedCounter = ([limit, subject]: Counted, now: number): VoteCounter => {
    const resetsAt = windowsOf(limit).endsAt(now);
    // With SHA-3 the key as a prefix is enough, as for the voter cookie.
    const key = hash('sha3-256', `${secret} ${limit} ${subject} ${resetsAt}`, 'base64url');
    return { limit, key, points: rateLimits[limit].points - votesUnshared, resetsAt };
  };

  return async (ctx, pollId, code, cast) => {
    const now = clock.now();
    const address = clientAddress(ctx);
    // Others behind the same address cannot use up the requests of a member.
    if (minutes.count(`request ${signedInUser(ctx) ?? address}`, now) > rateLimits.voteRequests.points)
      throw errors.rateLimited((minutes.endsAt(now) - now) / 1_000);
    const network: Counted = ['pollVotesNearby', `${pollId} ${subnetOf(address)}`];
    const counted: readonly Counted[] =
      code === null
        ? [['vote', address], ['pollVotes', `${pollId} ${address}`], network]
        : [
            ['votesWithCode', `${pollId} ${code}`],
            ['votesInRooms', pollId],
          ];
    // The shared counters are used once this process has seen more than a few votes.
    const counts = counted.map((one) => countLocally(one, now));
    const counters = counted.filter((_, place) => counts[place]! > votesUnshared).map((one) => sharedCounter(one, now));
    const nearby = async () => {
      if (code !== null) return 0;
      const own = counts[2]!;
      const shared = await db('attempts')
        .where({ key: sharedCounter(network, now).key })
        .first('used');
      return Math.max(own, Math.min(own, votesUnshared) + (shared?.used ?? 0));
    };
    try {
      return await cast(counters, nearby);
    } catch (error) {
      // Only recorded votes use up a limit.
      for (const [limit, subject] of counted) windowsOf(limit).undo(`${limit} ${subject}`, now);
      if (isRejection(error)) {
        const rejected: Counted = ['rejectedVotes', address];
        const count = countLocally(rejected, now);
        const isFull =
          count > rateLimits.rejectedVotes.points ||
          (count > votesUnshared && !intake.count(sharedCounter(rejected, now)));
        if (isFull) throw errors.rateLimited((minutes.endsAt(now) - now) / 1_000);
      }
      throw error;
    }
  };
}

/** Whether a vote was rejected as invalid, rather than by a limit or a failure of the server. */
function isRejection(error: unknown): boolean {
  return error instanceof HttpError && error.status < 500 && error.status !== 429;
}

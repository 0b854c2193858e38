import { limits } from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { rateLimit } from '#platform/middleware.ts';
import { mintVoterCookie, voterCookieSender, voterOf } from '#platform/voter.ts';
import type { VotingIntake } from './intake.service.ts';
import { pollVoting } from './poll-vote.service.ts';

/** What the vote call stands on. */
export interface VotingContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: VotingIntake;
  readonly config: Pick<Config, 'publicUrl' | 'rateLimit'>;
}

/** The vote call of weekly polls. */
export function mountVoting(router: EndpointRouter, context: VotingContext): void {
  const { config } = context;
  const limit = config.rateLimit ? rateLimit(limits.rate.vote) : null;
  const castPollVote = pollVoting(context);
  const sendCookie = voterCookieSender(config.publicUrl);

  router.mount('vote', async ({ params, body, ctx }) => {
    if (limit) await limit(ctx);
    const asked = voterOf(ctx);
    if (!asked?.fingerprint) throw errors.deviceIdRequired();
    const { fingerprint, userId } = asked;
    const cookie = asked.cookie ?? mintVoterCookie(context.clock.now());
    const answer = await castPollVote(params.id, body.optionId, { fingerprint, cookie, userId });
    if (!answer.recorded) {
      // A browser that lost its cookie but kept its device id gets back the one that the vote was cast with.
      if (asked.cookie === null && answer.cookie) sendCookie(ctx, answer.cookie);
      throw answer.refusal;
    }
    if (asked.cookie === null) sendCookie(ctx, cookie);
    return new JsonText(answer.pollJson);
  });
}

import { limits } from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { rateLimit } from '#platform/middleware.ts';
import { mintVoterCookie, voterCookieSender, voterOf } from '#platform/voter.ts';
import type { CastPollVote } from './poll-vote.service.ts';

/** What the vote call stands on. */
export interface PollVotingContext {
  readonly clock: Clock;
  readonly castPollVote: CastPollVote;
  readonly config: Pick<Config, 'publicUrl' | 'rateLimit'>;
}

/** The vote call of weekly polls. */
export function mountPollVoting(router: EndpointRouter, context: PollVotingContext): void {
  const { castPollVote, clock, config } = context;
  const limit = config.rateLimit ? rateLimit(limits.rate.vote) : null;
  const sendCookie = voterCookieSender(config.publicUrl);

  const vote: Handler<'vote'> = async ({ params, body, ctx }) => {
    if (limit) await limit(ctx);
    const asked = voterOf(ctx);
    if (!asked?.fingerprint) throw errors.deviceIdRequired();
    const { fingerprint, userId } = asked;
    const cookie = asked.cookie ?? mintVoterCookie(clock.now());
    const answer = await castPollVote(params.id, body.optionId, { fingerprint, cookie, userId });
    if (!answer.recorded) {
      // A browser that lost its cookie but kept its device id gets back the one that the vote was cast with.
      if (asked.cookie === null && answer.cookie) sendCookie(ctx, answer.cookie);
      throw answer.refusal;
    }
    if (asked.cookie === null) sendCookie(ctx, cookie);
    return new JsonText(answer.pollJson);
  };
  router.mount('vote', vote, { direct: true });
}

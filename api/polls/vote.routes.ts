import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import type { LimitedVote } from '#api/voting/vote-limits.ts';
import { votesWithCookie } from '#api/voting/voter.ts';
import type { CastPollVote } from './poll-vote.service.ts';

/** What the vote call stands on. */
export interface PollVotingContext {
  readonly clock: Clock;
  readonly castPollVote: CastPollVote;
  readonly limitedVote: LimitedVote;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** The vote call of weekly polls. */
export function mountPollVoting(router: EndpointRouter, context: PollVotingContext): void {
  const { castPollVote, limitedVote, clock, config } = context;
  const withCookie = votesWithCookie({ clock, publicUrl: config.publicUrl });

  const vote: Handler<'vote'> = async ({ params, body, ctx }) => {
    const json = await limitedVote(ctx, params.id, (counters) =>
      withCookie(ctx, undefined, (voter) => castPollVote(params.id, body.optionId, voter, counters)),
    );
    return new JsonText(json);
  };
  router.mount('vote', vote, { direct: true });
}

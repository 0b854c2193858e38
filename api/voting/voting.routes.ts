import { limits } from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { rateLimit } from '#platform/middleware.ts';
import { CountedPolls } from '#api/polls/counted-poll.service.ts';
import type { VotingIntake } from './intake.service.ts';
import { mintVoterCookie, sendVoterCookie, voterOf } from './voter.routes.ts';

/** What the vote call stands on. */
export interface VotingContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: VotingIntake;
  readonly config: Pick<Config, 'publicUrl' | 'rateLimit'>;
}

/** The vote call of weekly polls. */
export function mountVoting(router: EndpointRouter, context: VotingContext): void {
  const { intake, config } = context;
  const limit = config.rateLimit ? rateLimit(limits.rate.vote) : null;
  const polls = new CountedPolls(context);
  const secure = config.publicUrl.startsWith('https:');

  router.mount('vote', async ({ params, body, ctx }) => {
    if (limit) await limit(ctx);
    const asked = voterOf(ctx);
    if (!asked?.fingerprint) throw errors.deviceIdRequired();
    const voter = { ...asked, fingerprint: asked.fingerprint, cookie: asked.cookie ?? mintVoterCookie() };
    const outcome = await intake.cast({ ballotId: params.id, kind: 'poll', optionId: body.optionId, voter });
    switch (outcome.status) {
      case 'not-found':
        throw errors.pollNotFound();
      case 'invalid-option':
        throw errors.invalidOption();
      case 'closed':
        throw errors.pollClosed();
      case 'not-started':
        throw errors.pollNotStarted();
      case 'overloaded':
        throw errors.overloaded();
      case 'already-voted': {
        // A browser that lost its cookie but kept its device id gets back the one that the vote was cast with.
        if (asked.cookie === null && outcome.cookie !== null) sendVoterCookie(ctx, outcome.cookie, secure);
        const { userVote } = outcome;
        throw errors.alreadyVoted({ userVote, poll: await polls.present(outcome.tally, userVote) });
      }
      case 'recorded':
        if (asked.cookie === null) sendVoterCookie(ctx, voter.cookie, secure);
        return polls.present(outcome.tally, outcome.userVote);
    }
  });
}

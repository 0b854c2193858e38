import type { Config } from '#platform/config.ts';
import type { EndpointRouter, Handler } from '#platform/endpoint-router.ts';
import type { LimitedVote } from '#api/voting/vote-limits.ts';
import { voterOf, votesWithCookie } from '#api/voting/voter.ts';
import type { CommunityContext } from './community-polls.service.ts';
import { voteStatusFor } from './community-vote.service.ts';
import type { CastCommunityVote } from './community-vote.service.ts';

/** What the vote calls stand on. */
export interface CommunityVotingContext extends CommunityContext {
  readonly castCommunityVote: CastCommunityVote;
  readonly limitedVote: LimitedVote;
  readonly config: Pick<Config, 'publicUrl'>;
}

/** Voting on community polls, and whether one has. Here the device id comes as the fingerprint of the specification. */
export function mountCommunityVoting(router: EndpointRouter, context: CommunityVotingContext): void {
  const { castCommunityVote, limitedVote, clock, config } = context;
  const withCookie = votesWithCookie({ clock, publicUrl: config.publicUrl });

  const vote: Handler<'communityVote'> = async ({ params, body, ctx }) => {
    const deviceId = typeof body.voterFingerprint === 'string' ? body.voterFingerprint : '';
    return limitedVote(ctx, params.id, (counters) =>
      withCookie(ctx, deviceId, (voter) => castCommunityVote(params.id, body.optionId, voter, counters)),
    );
  };
  router
    .mount('communityVoteStatus', ({ params, query, ctx }) =>
      voteStatusFor(context, params.id, voterOf(ctx, query.fingerprint ?? '')),
    )
    .mount('communityVote', vote, { direct: true });
}

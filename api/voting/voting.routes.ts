import type { Context } from 'koa';
import { challengeTrait, voteTraits } from '#domain/integrity/vote-traits.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { challengeHeader, referringHostHeader } from '#contract/vocabulary.ts';
import { errors } from '#platform/errors.ts';
import { clientAddress, headerOf } from '#platform/middleware.ts';
import { accountSince } from '#platform/session.ts';
import type { VoteOutcome, VotingIntake } from './group-commit.ts';
import type { NetworkDigests } from './network-digests.ts';
import type { LimitedVote } from './vote-limits.ts';
import type { Voters } from './voter.ts';
import type { BallotKind } from './voting.service.ts';

/**
 * Requires a proof of work for votes on polls under attack; `nearby` counts recent votes from the same subnet. Resolves to
 * whether one was required and given; throws CHALLENGE_REQUIRED.
 */
export type RequireChallenge = (
  ballotId: string,
  vote: { readonly nearby: () => Promise<number>; readonly solution: string },
) => Promise<boolean>;

/** The endpoints that record a vote: limit, authenticate, authorize, cast, present. */
export function mountVoting(
  router: EndpointRouter,
  context: {
    readonly clock: Clock;
    readonly intake: VotingIntake;
    readonly limitedVote: LimitedVote;
    readonly networks: NetworkDigests;
    readonly voters: Voters;
    readonly requireChallenge: RequireChallenge;
    /** Counts recorded votes on polls by the host that referred the voter, in memory. */
    readonly insights: { count(pollId: string, kind: 'vote', host: string): void };
    readonly polls: BallotKind;
    readonly communityPolls: BallotKind;
  },
): void {
  const { clock, intake, limitedVote, networks, voters, requireChallenge, insights, polls, communityPolls } = context;

  const cast = (ctx: Context, of: BallotKind, ballotId: string, optionId: string, deviceId?: string) =>
    limitedVote(ctx, ballotId, async (counters, nearby) => {
      const { voter, hadCookie, remember, restore } = voters.identify(ctx, deviceId);
      const { userId } = voter;
      await of.authorize(ballotId, userId);
      const now = clock.now();
      let traits = voteTraits({ accountSince: accountSince(ctx, now), hadCookie }, now);
      const solution = headerOf(ctx.req, challengeHeader);
      if (await requireChallenge(ballotId, { nearby, solution })) traits |= challengeTrait;
      const network = await networks.forVotes(ballotId, clientAddress(ctx));
      const outcome = await intake.cast({ ballotId, kind: of.kind, optionId, voter, network, traits, counters });
      if (outcome.status === 'recorded') {
        remember();
        if (of.kind === 'poll') insights.count(ballotId, 'vote', headerOf(ctx.req, referringHostHeader));
        const { tally, userVote } = outcome;
        return new JsonText(await of.present(tally, { userId, userVote }, outcome));
      }
      if (outcome.status !== 'already-voted') throw refusalOf(outcome, of);
      const { tally, userVote, cookie, receipt } = outcome;
      if (of.hidesUpcoming && phaseOf(tally, clock.now()) === 'upcoming') throw errors.pollNotFound();
      restore(cookie);
      throw errors.alreadyVoted({
        userVote,
        receipt,
        poll: JSON.parse(await of.present(tally, { userId, userVote })) as unknown,
      });
    });

  router
    .mount('vote', ({ params, body, ctx }) => cast(ctx, polls, params.id, body.optionId), { direct: true })
    .mount(
      'communityVote',
      // The specification calls the device id the voter's fingerprint here.
      ({ params, body: { optionId, voterFingerprint }, ctx }) =>
        cast(ctx, communityPolls, params.id, optionId, typeof voterFingerprint === 'string' ? voterFingerprint : ''),
      { direct: true },
    );
}

/** The error for a vote that was not recorded and whose voter has not voted before. */
function refusalOf(
  outcome: Exclude<VoteOutcome, { status: 'recorded' | 'already-voted' }>,
  { hidesUpcoming }: BallotKind,
): Error {
  switch (outcome.status) {
    case 'rate-limited':
      return outcome.limit === 'vote' ? errors.rateLimited(outcome.seconds) : errors.rateLimitedPoll(outcome.seconds);
    case 'not-found':
      return errors.pollNotFound();
    case 'invalid-option':
      return errors.invalidOption();
    case 'closed':
      return errors.pollClosed();
    case 'not-started':
      return hidesUpcoming ? errors.pollNotFound() : errors.pollNotStarted();
    case 'overloaded':
      return errors.overloaded();
  }
}

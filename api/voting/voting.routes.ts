import type { Context } from 'koa';
import { circumstances, voteTraits } from '#domain/integrity/vote-traits.ts';
import type { VotePromise } from '#domain/verification/promise.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { normalizeVote } from '#domain/community-poll-rules.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import { JsonText } from '#platform/endpoint-router.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { challengeHeader, emailCodeHeader, referringHostHeader, roomHeader } from '#contract/vocabulary.ts';
import { errors, HttpError } from '#platform/errors.ts';
import { clientAddress, headerOf } from '#platform/middleware.ts';
import { accountSince } from '#platform/session.ts';
import { protectionRaisedText, scanAgainText } from '#texts/errors.ts';
import { choicesText } from '#texts/choices.ts';
import type { VoteOutcome, VotingIntake } from './group-commit.ts';
import type { NetworkDigests } from './network-digests.ts';
import type { RoomCodes } from './room-codes.service.ts';
import type { LimitedVote } from './vote-limits.ts';
import { chosenIn, circumstancesOf, nonceOf, writtenIn } from './voter.ts';
import type { Chosen, IdentifiedVoter, Voters } from './voter.ts';
import type { BallotKind, WrittenVote } from './voting.service.ts';

/**
 * Checks that a vote has what its ballot needs; `nearby` counts recent votes from the same subnet. Returns what it meets, and
 * how to undo that if the vote isn’t recorded; throws what is missing.
 */
export type AuthorizeVote = (
  ballotId: string,
  vote: {
    readonly voter: IdentifiedVoter;
    readonly nearby: () => Promise<number>;
    readonly solution: string;
    readonly emailCode: string;
  },
) => Promise<{
  readonly protection: number;
  readonly solvedChallenge: boolean;
  readonly undo: (() => Promise<void>) | undefined;
}>;

/** The endpoints that record a vote: limit, authenticate, authorize, cast, present. */
export function mountVoting(
  router: EndpointRouter,
  context: {
    readonly clock: Clock;
    readonly intake: VotingIntake;
    readonly limitedVote: LimitedVote;
    readonly attempts: Attempts;
    readonly networks: NetworkDigests;
    readonly rooms: RoomCodes;
    readonly voters: Voters;
    readonly authorizeVote: AuthorizeVote;
    /** Counts recorded votes on polls by the host that referred the voter, in memory. */
    readonly insights: { count(pollId: string, kind: 'vote', host: string): void };
    readonly polls: BallotKind;
    readonly communityPolls: BallotKind;
  },
): void {
  const { clock, intake, limitedVote, attempts, networks, rooms, voters } = context;
  const { authorizeVote, insights, polls, communityPolls } = context;

  const recordWritten = async (ctx: Context, of: BallotKind, vote: WrittenVote, isRoom: boolean) => {
    const { ballotId } = vote;
    if (!isRoom) await attempts.count([['heldVotesFromAddress', clientAddress(ctx)]], errors.rateLimitedPoll);
    // Refused answers of a few must not use up what others may write.
    const record = () => of.recordWriteIn!(vote);
    return attempts.spend([['heldVotesOnPoll', ballotId]], record, errors.rateLimitedPoll);
  };

  const cast = (
    ctx: Context,
    of: BallotKind,
    ballotId: string,
    chosen: Chosen & { text?: string },
    deviceId?: string,
  ) => {
    const sentCode = headerOf(ctx.req, roomHeader);
    const castWith = (code: string | null) =>
      limitedVote(ctx, ballotId, code, async (counters, nearby) => {
        const { voter, hadCookie, remember, restore } = voters.identify(ctx, deviceId);
        const { userId } = voter;
        const nonce = nonceOf(ctx);
        await of.authorize(ballotId, userId);
        const solution = headerOf(ctx.req, challengeHeader);
        const emailCode = headerOf(ctx.req, emailCodeHeader);
        const { protection, solvedChallenge, undo } = await authorizeVote(ballotId, {
          ...{ voter, nearby, solution, emailCode },
        });
        const now = clock.now();
        const traits = voteTraits(
          {
            accountSince: accountSince(ctx, now),
            hadCookie,
            solvedChallenge,
            circumstances: circumstancesOf(ctx, ballotId) | (code === null ? 0 : circumstances.onScreen.trait),
          },
          now,
        );
        // A room has one network: that says nothing.
        const network = code !== null ? null : await networks.forVotes(ballotId, clientAddress(ctx));
        const { optionId, further, text } = chosen;
        const written = { ballotId, text: text ?? '', voter, nonce, traits, network, protection };
        const isHeld =
          text !== undefined &&
          (await recordWritten(ctx, of, written, code !== null).catch(async (error: unknown) => {
            await undo?.();
            throw error;
          }));
        // A vote with a written answer is recorded by now, within limits of its own: its outcome is that of a second one.
        const limits = isHeld ? [] : counters;
        const vote = { ballotId, kind: of.kind, optionId, further, voter, nonce, network, traits, protection };
        const outcome = await intake.cast({ ...vote, counters: limits });
        // Of a voter who has voted, the address stays used.
        if (!isHeld && outcome.status !== 'recorded' && outcome.status !== 'already-voted') await undo?.();
        if (isHeld && outcome.status === 'already-voted') {
          remember();
          const { tally, userVote } = outcome;
          return new JsonText(await of.present(tally, { userId, userVote }, { ...outcome, statistics: '{}' }));
        }
        if (outcome.status === 'recorded') {
          remember();
          if (of.kind === 'poll') insights.count(ballotId, 'vote', headerOf(ctx.req, referringHostHeader));
          const { tally, userVote, further: others } = outcome;
          return new JsonText(await of.present(tally, { userId, userVote, further: others }, outcome));
        }
        if (outcome.status !== 'already-voted') throw refusalOf(outcome, of, sentCode !== '');
        const { tally, userVote, further: others, cookie, receipt } = outcome;
        const promise = outcome.promise();
        if (of.hidesUpcoming && phaseOf(tally, clock.now()) === 'upcoming') throw errors.pollNotFound();
        restore(cookie);
        const poll = JSON.parse(await of.present(tally, { userId, userVote, further: others })) as AnsweredPoll;
        throw errors.alreadyVoted({
          ...{ userVote: poll.userVote, userVotes: poll.userVotes, receipt },
          promise: promise === null ? null : (JSON.parse(promise) as VotePromise),
          poll,
        });
      });
    const code = rooms.isValid(ballotId, sentCode) ? sentCode : null;
    if (code === null) return castWith(null);
    // A code that others have used up must not take away what the vote could do without it.
    return castWith(code).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 429) return castWith(null);
      throw error;
    });
  };

  router
    .mount('vote', ({ params, body, ctx }) => cast(ctx, polls, params.id, body), { direct: true })
    .mount(
      'communityVote',
      // The specification calls the device id the voter's fingerprint here.
      ({ params, body: { voterFingerprint, writeIn, ...body }, ctx }) =>
        cast(
          ctx,
          communityPolls,
          params.id,
          writeIn === undefined ? chosenIn(body) : writtenIn(writeIn, body),
          typeof voterFingerprint === 'string' ? voterFingerprint : '',
        ),
      { direct: true, normalize: normalizeVote },
    );
}

/** What the refusal of a second vote repeats of the poll. */
interface AnsweredPoll {
  readonly userVote: string;
  readonly userVotes?: readonly string[];
}

/** The error for a vote that was not recorded and whose voter has not voted before. */
function refusalOf(
  outcome: Exclude<VoteOutcome, { status: 'recorded' | 'already-voted' }>,
  { hidesUpcoming }: BallotKind,
  hadCode: boolean,
): Error {
  switch (outcome.status) {
    case 'rate-limited':
      // The code may have expired, or too many people used it.
      if (hadCode) return errors.rateLimitedPoll(outcome.seconds, scanAgainText);
      return outcome.limit === 'vote' ? errors.rateLimited(outcome.seconds) : errors.rateLimitedPoll(outcome.seconds);
    case 'not-found':
      return errors.pollNotFound();
    case 'invalid-option':
      return errors.invalidOption();
    case 'wrong-number':
      return errors.validationFailed([{ field: 'optionIds', message: choicesText(outcome.choice) }]);
    case 'closed':
      return errors.pollClosed();
    case 'not-started':
      return hidesUpcoming ? errors.pollNotFound() : errors.pollNotStarted();
    case 'unprotected':
      return errors.conflict(protectionRaisedText);
    case 'overloaded':
      return errors.overloaded();
  }
}

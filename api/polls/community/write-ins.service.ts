import { creatorActor } from '#api/integrity/flags.service.ts';
import { record } from '#api/events/record.service.ts';
import type { DecisionContext } from '#api/voting/decisions.service.ts';
import type { WrittenVote } from '#api/voting/voting.service.ts';
import { recordWriteIn, reviewWriteIn, waitingAnswers } from '#api/voting/write-ins.service.ts';
import type { Review } from '#api/voting/write-ins.service.ts';
import { iso } from '#platform/clock.ts';
import { HttpError } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { accessTo, authorize } from './access.service.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import type { WaitingAnswer } from './community-polls.contract.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Records a vote with a written answer, and tells the creator about a new one; false if this voter has voted. */
export async function castWriteIn(
  context: DecisionContext & { readonly log: Logger },
  vote: WrittenVote,
): Promise<boolean> {
  try {
    const isNew = await recordWriteIn(context, vote);
    // The vote is recorded: its voter must not be told otherwise.
    if (isNew)
      await notifyCreator(context, vote.ballotId).catch((error: unknown) =>
        context.log.error({ err: error, poll: vote.ballotId }, 'The creator of a poll was not told about a new answer'),
      );
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.code === 'ALREADY_VOTED') return false;
    throw error;
  }
}

/** In a transaction of its own: deleting an account locks it before its polls. */
async function notifyCreator({ db, clock, intake }: DecisionContext, pollId: string): Promise<void> {
  await intake.runExclusive(() =>
    db.transaction(async (trx) => {
      const poll = await CommunityPollModel.query(trx).findById(pollId).select('created_by');
      const subject = { kind: 'community-poll', id: pollId };
      if (poll?.created_by != null)
        await record(trx, { type: 'answer.waiting', at: clock.now(), subject, account: poll.created_by });
    }),
  );
}

/** The written answers on the caller’s own poll that wait, oldest first. Throws what `accessTo` throws, and FORBIDDEN. */
export async function listAnswers(context: CommunityContext, pollId: string, userId: string): Promise<WaitingAnswer[]> {
  const { may } = await accessTo({ db: context.db, now: context.clock.now() }, pollId, userId);
  authorize(may.judge);
  const answers = await waitingAnswers(context.db, pollId);
  return answers.map(({ at, ...answer }) => ({ ...answer, writtenAt: iso(at) }));
}

/** Decides about a written answer on the caller’s own poll. Throws what {@link listAnswers} and `reviewWriteIn` throw. */
export async function reviewAnswer(
  context: DecisionContext,
  pollId: string,
  userId: string,
  answer: { readonly id: string } & Review,
): Promise<void> {
  const { may } = await accessTo({ db: context.db, now: context.clock.now() }, pollId, userId);
  authorize(may.judge);
  await reviewWriteIn(
    context,
    { ...answer, ballotId: pollId },
    {
      actor: creatorActor + userId,
      async also(trx, at) {
        const poll = await CommunityPollModel.query(trx).findById(pollId).select('visibility');
        await record(trx, {
          ...{ type: 'poll.edited', at, subject: { kind: 'community-poll', id: pollId } },
          poll: { kind: 'community', listed: poll?.visibility === 'public' },
        });
      },
    },
  );
}

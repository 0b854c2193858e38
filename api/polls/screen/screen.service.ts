import { CommunityPollModel } from '#api/polls/community/community-poll.model.ts';
import { PollModel } from '#api/polls/poll.model.ts';
import { lifespanOf, shownOptions } from '#api/voting/ballot.model.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import { runoffOf } from '#api/voting/runoffs.service.ts';
import { totalOf } from '#api/voting/choices.model.ts';
import type { RoomCodes } from '#api/voting/room-codes.service.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { roomHash } from '#contract/vocabulary.ts';
import { errors } from '#platform/errors.ts';
import { qrCode } from './qr-code.ts';
import type { PollScreen } from './screen.contract.ts';

export interface ScreenContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly rooms: RoomCodes;
}

/** A weekly poll for a screen; throws POLL_NOT_FOUND. */
export async function weeklyScreen(context: ScreenContext, id: string): Promise<PollScreen> {
  const poll = await PollModel.query(context.db).findById(id).withGraphFetched('ballot.options');
  if (!poll) throw errors.pollNotFound();
  return present(context, poll, `/poll/${id}`);
}

/** A community poll for a screen; throws POLL_NOT_FOUND for everyone but its creator, whether there is such a poll or not. */
export async function communityScreen(context: ScreenContext, id: string, userId: string): Promise<PollScreen> {
  const poll = await CommunityPollModel.query(context.db).findById(id).withGraphFetched('ballot.options');
  if (poll?.created_by !== userId || poll.taken_down_by !== null) throw errors.pollNotFound();
  const { ballot } = poll;
  const runoff = await runoffOf(context.db, ballot, context.clock.now());
  return {
    ...present(context, poll, `/community-polls/${id}`),
    ...(runoff && { runoff: runoff as PollScreen['runoff'] }),
  };
}

function present(
  { clock, config, rooms }: ScreenContext,
  { id, question, ballot }: { readonly id: string; readonly question: string; readonly ballot: BallotModel },
  path: string,
): PollScreen {
  const phase = phaseOf(lifespanOf(ballot), clock.now());
  const address = config.publicUrl + path;
  const withCode = `${address}${roomHash}${rooms.current(id)}`;
  return {
    question,
    options: shownOptions(ballot.options, ['votes'])
      .filter(({ offered }) => offered)
      .map(({ option_id, text, votes }) => ({ id: option_id, text, votes })),
    totalVotes: totalOf(ballot, ballot.options),
    ...{ method: ballot.method, minChoices: ballot.min_choices, maxChoices: ballot.max_choices },
    ...{ phase, address },
    room: phase === 'open' ? { address: withCode, qrCode: qrCode(withCode) } : null,
  };
}

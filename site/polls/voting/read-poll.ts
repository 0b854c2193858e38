import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { communityPath, isClosed, isCommunity } from '#site/polls/voting/ballot.ts';
import { roomCodeOf } from '#site/polls/voting/room-code.ts';

/** Reads a poll of either kind, as this visitor sees it now. */
export const readPoll = (id: string, community: boolean, signal?: AbortSignal): Promise<AnyPoll> =>
  callApi(community ? 'communityPoll' : 'poll', {
    ...{ params: { id }, signal },
    roomCode: roomCodeOf(`${community ? communityPath : '/poll'}/${id}`),
  });

/**
 * Milliseconds until a poll is read again: during an outage of so many milliseconds, as long as that, up to a minute. `spread`, a
 * random number from 0 to 1, keeps the pages of a community poll from asking in step.
 */
export function refetchMs(poll: AnyPoll, spread: number, outage = 0): number {
  const closed = isClosed(poll);
  const regular = !isCommunity(poll)
    ? limits.pollRefetchMs
    : closed
      ? limits.communityClosedRefetchMs
      : limits.communityRefetchMs;
  const factor = isCommunity(poll) ? 1 + limits.communityRefetchSpread * (2 * spread - 1) : 1;
  return Math.round(Math.min(Math.max(regular, outage), limits.communityRefetchMaxMs) * factor);
}

import { creatorActor } from '#api/integrity/flags.service.ts';
import type { FlagContext } from '#api/integrity/flags.service.ts';
import { accessTo, authorize } from './access.service.ts';

export { decideFlag, flaggedVotes } from '#api/integrity/flags.service.ts';
export type { FlagContext } from '#api/integrity/flags.service.ts';
export { endDecision } from '#api/voting/decisions.service.ts';

/** Who decides about votes of a poll: its creator. Throws what {@link accessTo} throws, and FORBIDDEN. */
export async function creatorOf({ db, clock }: FlagContext, pollId: string, userId: string) {
  const { may } = await accessTo({ db, now: clock.now() }, pollId, userId);
  authorize(may.judge);
  return { actor: creatorActor + userId };
}

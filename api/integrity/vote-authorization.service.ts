import { guardedBallots } from '#api/voting/challenge-switch.service.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';
import type { IdentifiedVoter } from '#api/voting/voter.ts';
import { protectionOf, rankOf } from '#domain/protection.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { TtlCache } from '#platform/read-cache.ts';
import type { voteChallenges } from './challenges.service.ts';
import type { ChallengedVote } from './challenges.service.ts';
import type { UndoAddress, VoteCodes } from './vote-codes.service.ts';

/** Milliseconds after which a process notices that votes on a ballot need more, or less. Votes in between are refused. */
const noticedMs = 2_000;

/** A vote as it was sent, and by whom. */
interface SentVote extends ChallengedVote {
  readonly voter: IdentifiedVoter;
  /** The request for a mailed code, and the code; empty for none. */
  readonly emailCode: string;
}

/** What a vote meets. */
interface Authorized {
  /** The rank of the protection. */
  readonly protection: number;
  readonly solvedChallenge: boolean;
  /** Makes its address usable again, if the vote isn’t recorded. */
  readonly undo: UndoAddress;
}

const anyBrowser: Authorized = { protection: 0, solvedChallenge: false, undo: undefined };

/**
 * Whether a vote has what its ballot’s protection needs, and under attack a solved challenge. A confirmed address is as good
 * as a challenge, so that browsers without JavaScript can vote. Throws CHALLENGE_REQUIRED, EMAIL_REQUIRED, MEMBERS_ONLY, and
 * what using a code throws; not for voters who have voted, whom the intake tells so.
 */
export type AuthorizeVote = (ballotId: string, vote: SentVote) => Promise<Authorized>;

export function voteAuthorization(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly codes: VoteCodes;
  readonly requireChallenge: ReturnType<typeof voteChallenges>;
}): AuthorizeVote {
  const { db, clock, codes, requireChallenge } = context;
  const guarded = new TtlCache(() => guardedBallots(db), { ms: noticedMs, maxEntries: 1 });

  const check = async (
    ballotId: string,
    { voter, emailCode, ...vote }: SentVote,
    { protection, isChallenged }: { readonly protection: number; readonly isChallenged: boolean },
  ): Promise<Authorized> => {
    const level = protectionOf(protection);
    if (level === 'members' && voter.userId === null) throw errors.membersOnly();
    if (level === 'members') await codes.refuseUsed(ballotId, voter.userId!);
    const needsCheck = requireChallenge !== null && (isChallenged || level === 'check');
    if (emailCode !== '' && (level === 'email' || needsCheck))
      return { protection, solvedChallenge: false, undo: await codes.use(ballotId, voter.device, emailCode) };
    if (level === 'email') throw errors.emailRequired();
    if (needsCheck) await requireChallenge(ballotId, vote);
    return { protection, solvedChallenge: needsCheck, undo: undefined };
  };

  return async (ballotId, vote) => {
    const guard = (await guarded.get('all')).get(ballotId);
    if (guard === undefined) return anyBrowser;
    const { protection, challengedUntil } = guard;
    const isChallenged = challengedUntil > clock.now();
    try {
      return await check(ballotId, vote, { protection, isChallenged });
    } catch (error) {
      // Whoever has voted needs nothing to learn that.
      const isKnown = (await recordedVotes(db, vote.voter, [ballotId])).has(ballotId);
      if (isKnown) return { ...anyBrowser, protection: rankOf('invited') };
      throw error;
    }
  };
}

import type { PollKind } from '#contract/vocabulary.ts';
import { iso } from '#platform/clock.ts';
import { questionsSeenBy } from '#api/community-polls/access.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import { burstRule, voteBursts } from '#api/voting/bursts.service.ts';
import type { OperationContext } from './operation.service.ts';

/** Polls whose votes came in bursts, with what they ask; the question of a private poll stays with its guests. */
export async function listBursts({ db, clock }: OperationContext) {
  const { from, bursts } = await voteBursts({ db, clock });
  const now = clock.now();
  const ids = (kind: PollKind) => bursts.filter((burst) => burst.kind === kind).map(({ id }) => id);
  const questions = new Map([
    ...(await questionsOf({ db, now }, ids('poll'))),
    ...(await questionsSeenBy({ db, now }, ids('community'), null)),
  ]);
  return {
    since: iso(from),
    minutes: burstRule.minutes,
    polls: bursts.map(({ id, kind, minute, votes, usual }) => ({
      id,
      kind: kind as PollKind,
      question: questions.get(id) ?? null,
      startsAt: iso(minute * 60_000),
      votes,
      usual: usual === null ? null : Math.round(usual * 10) / 10,
    })),
  };
}

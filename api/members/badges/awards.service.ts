import type { MemberEvent, PollEvent, VotesEvent } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { enqueue, enqueueMissing } from '#platform/jobs/jobs.service.ts';
import type { Job } from '#platform/jobs/runner.service.ts';
import { votersAmong } from '#api/voting/decision-marks.service.ts';
import type { BadgeKey } from './badges.contract.ts';
import { progressOf } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { badges, earnedAfter } from '#domain/badges/rules.ts';
import type { Clock } from '#platform/clock.ts';
import { isMissingReference } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { figuresOf, historyOf } from './history.service.ts';

/** Events of members that a start looks at. */
const newestEvents = 1_000;

const minuteOf = (moment: number) => moment - (moment % 60_000);

export interface AwardContext {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * A member’s progress with every badge it earns, each awarded once, whoever asks how often and in how many processes. The
 * award has the minute, as votes do: it must not tell the time of one more exactly.
 */
export async function awardBadges({ db, clock }: AwardContext, userId: string): Promise<Progress> {
  const progress = await progressFor(db, userId);
  const earned = earnedAfter(progress);
  if (earned.length === 0) return progress;
  try {
    await db.transaction((trx) => award(trx, { userId, earned, at: minuteOf(clock.now()) }));
  } catch (error) {
    // The account was just deleted.
    if (!isMissingReference(error)) throw error;
  }
  return { ...progress, badges: [...progress.badges, ...earned] };
}

/** The work of looking at a member’s badges in the background. */
const awardJob = (userId: string, dueAt: number) => ({ kind: 'badges', key: userId, userId, dueAt }) as const;

/** Does a job: looks at one member’s badges, or has the members looked at whose votes count again. */
export async function awardJobDue(context: AwardContext, { userId, payload }: Job): Promise<void> {
  if (userId !== null) await awardBadges(context, userId);
  else
    for await (const voters of votersAmong(context.db, payload as NonNullable<VotesEvent['again']>))
      await enqueueMissing(
        context.db,
        voters.map((voter) => awardJob(voter, context.clock.now())),
      );
}

/** Has members looked at for what others did: they may not be here. */
export async function awardMembers(trx: Database, events: readonly MemberEvent[]): Promise<void> {
  const at = Math.max(...events.map((event) => event.at));
  const members = [...new Set(events.map(({ member }) => member))].sort();
  await enqueue(
    trx,
    members.map((member) => awardJob(member, at)),
  );
}

/** Has members looked at whose votes count again. */
export async function awardVoters(trx: Database, events: readonly VotesEvent[]): Promise<void> {
  await enqueue(
    trx,
    events.flatMap(({ at, again }) =>
      again === undefined
        ? []
        : [{ kind: 'badges', key: `votes/${again.ballotKey}/${again.through}`, dueAt: at, payload: again }],
    ),
  );
}

/** Has the creators of community polls looked at, who may not be here: results are known, or a poll is featured. */
export async function awardCreators(trx: Database, events: readonly (PollEvent | VotesEvent)[]): Promise<void> {
  const ids = events.map(({ subject }) => subject.id);
  const creators = await trx('community_polls')
    .whereIn('id', ids)
    .whereNotNull('created_by')
    .distinct()
    .orderBy('created_by')
    .pluck<string[]>('created_by');
  const at = Math.max(...events.map((event) => event.at));
  await enqueue(
    trx,
    creators.map((creator) => awardJob(creator, at)),
  );
}

/** Has the members looked at who did something last: a process may have died before it did. */
export async function awardAfterStart({ db, clock }: AwardContext): Promise<void> {
  const newest = db('events').whereNotNull('member_id').orderBy('id', 'desc').limit(newestEvents);
  const members = await db.from(newest.select('member_id').as('newest')).distinct().pluck<string[]>('member_id');
  const now = clock.now();
  await enqueueMissing(
    db,
    members.map((member) => awardJob(member, now)),
  );
}

/** A member’s progress; all figures are zero for one who did nothing. */
export async function progressFor(db: Database, userId: string): Promise<Progress> {
  return progressOf(await historyOf(db, userId));
}

async function award(
  trx: Database,
  { userId, earned, at }: { readonly userId: string; readonly earned: readonly BadgeKey[]; readonly at: number },
): Promise<void> {
  const added = await trx('badges')
    .insert(earned.map((badge) => ({ user_id: userId, badge_type: badge, earned_at: at })))
    .onConflict(['user_id', 'badge_type'])
    .ignore()
    .returning('badge_type');
  if (added.length === 0) return;
  await record(
    trx,
    added.map(({ badge_type: key }) => ({
      ...({ type: 'badge.earned', at, member: userId, subject: { kind: 'badge', id: key } } as const),
      after: { category: badges[key].category, tier: badges[key].tier },
    })),
  );
}

/** Records the figures of a community poll that is about to be deleted, for its creator, whose figures then don’t fall. */
export async function keepFigures(trx: Database, pollId: string, at: number): Promise<void> {
  const poll = await trx('community_polls').where({ id: pollId }).first('created_by');
  const figures = (await figuresOf(trx, { 'poll.id': pollId })).get(pollId);
  if (poll?.created_by == null || figures === undefined) return;
  const subject = { kind: 'community-poll', id: pollId };
  await record(trx, { type: 'poll.figures', at, member: poll.created_by, subject, after: figures });
}

import { recordFact } from '#domain/badges/awards.ts';
import { comesTooLate, progressVersion } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { eventOf } from './fact-row.ts';
import { factsPerTransaction, markCounted, uncountedFacts } from './facts.queries.ts';
import { noteComments, noteVotes } from './notes.service.ts';
import { addActivities, addBadges, addToDays, holdProgress, storeProgress } from './progress.queries.ts';
import type { ActivityRow, HeldBadge, StoredProgress } from './progress.queries.ts';
import { activityOf, badgeActivity, daysOf } from './timeline.ts';

/** What one portion of counting left to do. */
export interface Counted {
  /** There may be more to count about these members. */
  readonly more: boolean;
  /** Members whose progress has to be counted anew: a fact came too late, or the figures are of another version. */
  readonly stale: readonly string[];
  /** Members about whom something is known now because of these. */
  readonly others: readonly string[];
}

/**
 * Counts a portion of what is known about some members and not part of their progress yet: votes become facts, facts
 * become figures, badges and the timeline, in one transaction. Whoever counts the same members meanwhile waits; nothing
 * counts twice. What it costs does not depend on how much was counted before.
 */
export async function countMembers(db: Database, userIds: readonly string[]): Promise<Counted> {
  return db.transaction(async (trx) => {
    await beginWriting(trx);
    const members = new Map((await holdProgress(trx, userIds)).map((row) => [row.user_id, memberOf(row)]));
    const ids = [...members.keys()];
    if (ids.length === 0) return { more: false, stale: [], others: [] };
    const votes = await noteVotes(trx, ids);
    const readable = ids.filter((id) => members.get(id)!.progress !== null);
    const facts = await uncountedFacts(trx, readable);

    const activities: ActivityRow[] = [];
    const comments = new Map<string, number>();
    for (const row of facts) {
      const event = eventOf(row);
      const member = members.get(row.user_id)!;
      count(member, event);
      const activity = activityOf(row.user_id, event);
      if (activity) activities.push(activity);
      if (event.fact === 'comment_posted') comments.set(event.pollId, event.at);
    }
    const earned = ids.flatMap((userId) => sinceJoining(members.get(userId)!).map((badge) => ({ userId, ...badge })));
    await addBadges(
      trx,
      earned.map(({ userId, badge, at }) => ({ user_id: userId, badge_type: badge, earned_at: at })),
    );
    await addActivities(trx, [
      ...activities,
      ...earned.map(({ userId, badge, at }) => badgeActivity(userId, badge, at)),
    ]);
    await addToDays(trx, daysOf(activities));
    const changed = ids.filter((id) => members.get(id)!.changed);
    await storeProgress(
      trx,
      changed.map((userId) => ({ userId, ...members.get(userId)! })),
    );
    await markCounted(trx, facts);
    return {
      more: facts.length === factsPerTransaction || votes === factsPerTransaction,
      stale: ids.filter((id) => members.get(id)!.stale),
      others: await noteComments(trx, comments),
    };
  });
}

/** A member while being counted. */
interface Member {
  /** Null: of another version, and only good for being counted anew. */
  progress: Progress | null;
  stale: boolean;
  changed: boolean;
  earned: HeldBadge[];
}

function memberOf({ figures, stale }: StoredProgress): Member {
  const progress = readProgress(figures);
  const wasStale = Boolean(stale);
  return { progress, stale: wasStale || progress === null, changed: progress === null && !wasStale, earned: [] };
}

/** Figures as they were stored; null when they are of another version. */
export function readProgress(figures: string): Progress | null {
  const progress = JSON.parse(figures) as Progress;
  return progress.version === progressVersion ? progress : null;
}

function count(member: Member, event: ReturnType<typeof eventOf>): void {
  if (member.progress === null) return;
  if (comesTooLate(member.progress, event)) member.stale = true;
  const { progress, earned } = recordFact(member.progress, event);
  member.progress = progress;
  member.changed = true;
  member.earned.push(...earned.map((badge) => ({ badge, at: event.at })));
}

/** A vote may be older than the account that it was given to; nobody earns a badge before joining. */
export function sinceJoining({
  progress,
  earned,
}: {
  readonly progress: Progress | null;
  readonly earned: readonly HeldBadge[];
}): HeldBadge[] {
  return earned.map(({ badge, at }) => ({ badge, at: Math.max(at, progress?.joined?.at ?? at) }));
}

import type { BadgeKey } from '#contract/badges.ts';
import type { Activity } from '#contract/profile.ts';
import { noProgress } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import type { Database } from '#platform/database.ts';
import { inPortions } from './portions.ts';

/** A member's figures as they are kept. */
export interface StoredProgress {
  readonly user_id: string;
  /** JSON. */
  readonly figures: string;
  readonly revision: number;
  readonly stale: boolean | 0 | 1;
}

/**
 * The figures of some members, who are nobody else's to count until the transaction ends; those who have left are left
 * out. Members first, then figures: whoever deletes an account takes the account, and the rest goes with it.
 */
export async function holdProgress(trx: Database, userIds: readonly string[]): Promise<StoredProgress[]> {
  const here = await trx('users').whereIn('id', userIds).orderBy('id').forKeyShare().pluck<string[]>('id');
  const held = await progressRows(trx, here);
  const missing = here.filter((id) => !held.some(({ user_id }) => user_id === id));
  if (missing.length === 0) return held;
  const figures = JSON.stringify(noProgress);
  await trx('progress')
    .insert(missing.map((user_id) => ({ user_id, figures })))
    .onConflict('user_id')
    .ignore();
  return [...held, ...(await progressRows(trx, missing))];
}

async function progressRows(trx: Database, userIds: readonly string[]): Promise<StoredProgress[]> {
  return trx('progress')
    .whereIn('user_id', userIds)
    .orderBy('user_id')
    .forUpdate()
    .select<StoredProgress[]>('user_id', 'figures', 'revision', 'stale');
}

/** The figures of one member, just to look. */
export async function findProgress(db: Database, userId: string): Promise<StoredProgress | undefined> {
  return db('progress')
    .where({ user_id: userId })
    .first<StoredProgress | undefined>('user_id', 'figures', 'revision', 'stale');
}

/** Writes figures of members whose progress is held. */
export async function storeProgress(
  trx: Database,
  rows: readonly { readonly userId: string; readonly progress: Progress | null; readonly stale: boolean }[],
): Promise<void> {
  for (const { userId, progress, stale } of rows)
    await trx('progress')
      .where({ user_id: userId })
      .update({ ...(progress && { figures: JSON.stringify(progress) }), stale, revision: trx.raw('revision + 1') });
}

/** Something for the timeline. */
export interface ActivityRow {
  readonly user_id: string;
  readonly activity_type: Activity['activityType'];
  readonly entity_id: string;
  readonly entity_type: Activity['entityType'];
  /** JSON. */
  readonly metadata: string;
  readonly created_at: number;
}

export async function addActivities(trx: Database, rows: readonly ActivityRow[]): Promise<void> {
  for (const some of inPortions(rows))
    await trx('activities').insert(some).onConflict(['user_id', 'activity_type', 'entity_id']).ignore();
}

/** Counts what members did on days, beside what is counted there already. */
export async function addToDays(
  trx: Database,
  rows: readonly { readonly user_id: string; readonly day: number; readonly count: number }[],
): Promise<void> {
  for (const some of inPortions(rows))
    await trx('activity_days')
      .insert(some)
      .onConflict(['user_id', 'day'])
      .merge({ count: trx.raw('activity_days.count + excluded.count') });
}

/** A badge that a member holds, and since when. */
export interface HeldBadge {
  readonly badge: BadgeKey;
  readonly at: number;
}

/** The badges of a member, oldest first. */
export async function heldBadges(db: Database, userId: string): Promise<HeldBadge[]> {
  return db('badges')
    .where({ user_id: userId })
    .orderBy(['earned_at', 'id'])
    .select<HeldBadge[]>('badge_type as badge', 'earned_at as at');
}

/** Hands out badges; one that is held stays as it is. */
export async function addBadges(
  trx: Database,
  rows: readonly { readonly user_id: string; readonly badge_type: BadgeKey; readonly earned_at: number }[],
): Promise<void> {
  for (const some of inPortions(rows)) await trx('badges').insert(some).onConflict(['user_id', 'badge_type']).ignore();
}

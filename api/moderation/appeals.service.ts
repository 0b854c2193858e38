import { record } from '#api/events/record.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { ModerationAction } from '#contract/vocabulary.ts';
import { errors } from '#platform/errors.ts';
import { moderationApiTexts as texts } from '#texts/moderation.ts';
import { decideIn } from './actions.service.ts';
import type { Actor } from '#api/events/events.ts';
import type { ModerationContext } from './actions.service.ts';

/** What takes a decision back; closing and deleting a poll can’t be. */
const inverse: Partial<Record<ModerationAction, ModerationAction>> = { hide: 'show', suspend: 'lift' };

/**
 * Grants an appeal, which takes the decision back where that is possible, or refuses it, and notifies the member. Throws
 * NOT_FOUND, CONFLICT when it is decided already.
 */
export async function decideAppeal(
  { db, clock }: ModerationContext,
  actor: Actor,
  id: number,
  { granted, reason }: BodyOf<'decideAppeal'>,
): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const found = await trx('moderation_actions').where({ id }).whereNotNull('appealed_at').first();
    if (!found) throw errors.notFound();
    const { action, kind, subject } = found;
    const back = inverse[action];
    // First: it locks accounts and polls in their order.
    if (granted && back !== undefined && found.ended_at === null && found.decided_at === null)
      await decideIn(trx, clock, { kind, id: subject }, { action: back, actor, reason, isAppeal: true });
    const changed = await trx('moderation_actions')
      .where({ id })
      .whereNotNull('appealed_at')
      .whereNull('decided_at')
      .update({ granted, decided_at: now, decision_reason: reason });
    if (changed === 0) throw errors.conflict(texts.decidedAlready);
    await record(trx, {
      at: now,
      actor,
      type: 'moderation.appeal',
      subject: { kind, id: subject },
      before: { action, reason: found.reason },
      after: { granted, reason },
      decision: { id, reason, poll: null, member: found.member_id, reporters: [] },
    });
  });
}

import { randomBytes } from 'node:crypto';
import { ForeignKeyViolationError } from 'objection';
import type { CommunityPoll, NewCommunityPoll } from '#contract/community-poll.ts';
import { newCommunityPollFindings, openingTimes } from '#domain/community-poll-rules.ts';
import { errors } from '#platform/errors.ts';
import { recordKey } from '#platform/idempotency.ts';
import type { KeyedRequest } from '#platform/idempotency.ts';
import { communityApiTexts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { recordEvent } from '#api/badges/events.service.ts';
import { publishListMs, requestBuild } from '#api/publishing/publishing.service.ts';
import { addTotals } from '#api/statistics/statistics.service.ts';
import { CommunityBallotModel, CommunityPollModel } from './community-poll.model.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Refuses what the schema of a new poll lets through; throws VALIDATION_FAILED with every field that is wrong. */
export function checkNewPoll({ clock }: CommunityContext, poll: NewCommunityPoll): void {
  const wrong = fieldErrors(newCommunityPollFindings(poll, clock.now()));
  if (wrong.length > 0) throw errors.validationFailed(wrong);
}

/** Makes a community poll that was checked, and answers it as its creator sees it; `request` is known from now on. */
export async function createCommunityPoll(
  { db, clock }: CommunityContext,
  userId: string,
  poll: NewCommunityPoll,
  request: KeyedRequest | null = null,
): Promise<CommunityPoll> {
  const now = clock.now();
  const id = newCommunityPollId();
  const { startsAt, endsAt } = openingTimes(poll, now);
  const category = poll.category ?? null;
  const isPublic = poll.visibility === 'public';
  const made = await db
    .transaction(async (trx) => {
      await CommunityBallotModel.query(trx).insertGraph({
        id,
        kind: 'community',
        listed: isPublic,
        in_totals: isPublic,
        category,
        starts_at: startsAt,
        ends_at: endsAt,
        options: poll.options.map(({ id: option_id, text }, position) => ({ option_id, position, text })),
      });
      await CommunityPollModel.query(trx).insert({
        id,
        question: poll.question,
        description: poll.description ?? '',
        visibility: poll.visibility,
        category,
        created_by: userId,
        created_at: now,
        updated_at: now,
      });
      await recordKey(trx, request, id, now);
      const { visibility, options } = poll;
      await recordEvent(trx, userId, {
        type: 'poll_created',
        at: now,
        pollId: id,
        visibility,
        category,
        options: options.length,
      });
      if (isPublic) {
        // Late, because every vote updates these rows.
        await addTotals(trx, { total_polls: 1 });
        await requestBuild(trx, clock, communityApiTexts.buildReasons.created, publishListMs);
      }
      return findCommunityPoll(trx, id);
    })
    .catch((error: unknown) => {
      // The account was deleted while this was on its way.
      throw error instanceof ForeignKeyViolationError ? errors.unauthenticated() : error;
    });
  if (!made) throw errors.pollNotFound();
  return presentCommunityPoll(made, now, { userId, userVote: null, guests: new Map() });
}

/**
 * An id that cannot be guessed: 128 random bits as 25 base-36 characters. No word that stands in a path is that long,
 * and it never begins with a dash, which commands would take for an option.
 */
export function newCommunityPollId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(25, '0');
}

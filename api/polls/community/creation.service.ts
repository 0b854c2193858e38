import { randomBytes } from 'node:crypto';
import { lockActiveMember } from '#api/members/accounts/suspension.service.ts';
import { record } from '#api/events/record.service.ts';
import { recordOrigin } from '#api/members/creation/creation.service.ts';
import type { Creation } from '#api/members/creation/creation.service.ts';
import { createBallot } from '#api/voting/ballots.service.ts';
import { requireOffered } from '#api/voting/protection.service.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import type { CommunityPoll, NewCommunityPoll } from './community-polls.contract.ts';
import type { CommunityCategory, Protection } from '#contract/vocabulary.ts';
import { choiceIn, newCommunityPollFindings, openingTimes } from '#domain/community-poll-rules.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { recordKey } from '#platform/idempotency.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import { presentCommunityPoll } from './community-poll.presenter.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import type { CommunityContext } from './community-polls.service.ts';

// The routes reach other features through this file.
export type { NetworkDigest } from '#api/members/creation/creation.service.ts';

/** Checks what the schema of a new poll can't; throws VALIDATION_FAILED with every wrong field. */
export function checkNewPoll(
  { clock, protections }: Pick<CommunityContext, 'clock'> & { readonly protections: readonly Protection[] },
  poll: NewCommunityPoll,
): void {
  const wrong = fieldErrors(newCommunityPollFindings(poll, clock.now()));
  if (wrong.length > 0) throw errors.validationFailed(wrong);
  // Private polls have a level of their own, which can’t be chosen.
  requireOffered(poll.protection, poll.visibility === 'private' ? [] : protections);
}

/** Creates a checked community poll, records the idempotency key, and returns the poll as its creator sees it. */
export async function createCommunityPoll(
  { db, clock }: CommunityContext,
  userId: string,
  poll: NewCommunityPoll,
  { request = null, network = null }: Creation = {},
): Promise<CommunityPoll> {
  const now = clock.now();
  const id = newCommunityPollId();
  const { startsAt, endsAt } = openingTimes(poll, now);
  const { question, description = '', visibility, category = null, options, protection, optionOrder } = poll;
  const { resultVisibility = 'after-voting', writeIns } = poll;
  const publishBallots = resultVisibility !== 'creator' && (poll.publishBallots ?? true);
  const isPublic = visibility === 'public';
  const created = await db.transaction(async (trx) => {
    await lockActiveMember(trx, userId, now);
    const shown = { listed: isPublic, inTotals: isPublic };
    await createBallot(trx, {
      ...{
        id,
        kind: 'community',
        category,
        startsAt,
        endsAt,
        publishBallots,
        options,
        optionOrder,
        writeIns,
        ...shown,
      },
      ...(protection !== undefined && { protection }),
      choice: choiceIn(poll, options.length),
    });
    await CommunityPollModel.query(trx).insert({
      id,
      question,
      description,
      visibility,
      result_visibility: resultVisibility,
      category,
      created_by: userId,
      created_at: now,
      updated_at: now,
    });
    await recordKey(trx, request, id, now);
    await recordOrigin(trx, { kind: 'poll', subject: id, userId, network, at: now });
    await record(trx, {
      ...{ type: 'poll.created', at: now, subject: { kind: 'community-poll', id }, member: userId },
      after: { visibility, category, options: options.length },
      poll: { kind: 'community', listed: isPublic },
    });
    // Last, because every vote updates these rows.
    if (isPublic) await addTotals(trx, { total_polls: 1 });
    return findCommunityPoll(trx, id);
  });
  if (!created) throw errors.pollNotFound();
  return presentCommunityPoll(created, now, { userId, userVote: null, guests: new Map() });
}

/**
 * An unguessable id: 128 random bits as 25 base-36 characters. No path segment of the site is that long, and it never
 * begins with a dash, which commands would take for an option.
 */
function newCommunityPollId(): string {
  return BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(25, '0');
}

/** A public poll of the demonstration data. Times in milliseconds. */
export interface SeedPoll {
  readonly id: string;
  readonly createdBy: string;
  readonly question: string;
  readonly description: string;
  readonly category: CommunityCategory | null;
  readonly tags: readonly string[];
  readonly featured: boolean;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt: number | null;
  readonly options: readonly { readonly text: string; readonly votes: number }[];
}

/** Inserts public polls with initial votes that count toward no total, at the moment `now`. */
export async function seedCommunityPolls(trx: Database, polls: readonly SeedPoll[], now: number): Promise<void> {
  for (const { id, question, description, category, tags, featured, options, ...poll } of polls) {
    await createBallot(trx, {
      ...{ id, kind: 'community', category, listed: true, inTotals: false },
      ...{ startsAt: poll.startsAt, endsAt: poll.endsAt, closedAt: poll.closedAt },
      options: options.map((option, index) => ({ id: `option-${index + 1}`, ...option })),
    });
    await CommunityPollModel.query(trx).insert({
      id,
      question,
      description,
      visibility: 'public',
      category,
      tags: [...tags],
      featured,
      created_by: poll.createdBy,
      created_at: poll.createdAt,
      updated_at: poll.createdAt,
    });
  }
  await record(
    trx,
    polls.map(({ id }) => ({
      ...{ type: 'poll.created', at: now, subject: { kind: 'community-poll', id } },
      poll: { kind: 'community', listed: true },
      publish: { event: 'imported', many: true },
    })),
  );
}

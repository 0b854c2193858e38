import type { ManagedPoll } from '#contract/managed-poll.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { phaseOf, closedMoment } from '#domain/poll-lifecycle.ts';
import type { Lifespan } from '#domain/poll-lifecycle.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { countArchive, countIntoArchive } from './archive.service.ts';
import { holdPoll, managedRows, touchPoll, writeBallot } from './managing.queries.ts';
import type { HeldPoll, ManagedRow } from './managing.queries.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';

/** Polls on one page of the operator's list. */
const managedPolls = 10;

const { managing: texts } = adminApiTexts;

/** One page of polls for the operator, by state and by words of question or id. */
export async function managedPage(
  { db, clock, previews }: PollsContext & { readonly previews: PreviewLinks },
  { page, state, search = '' }: { page: number; state?: ManagedState | undefined; search?: string | undefined },
): Promise<{ polls: ManagedPoll[]; page: number; pages: number; total: number }> {
  const now = clock.now();
  const limit = managedPolls;
  const { rows, total } = await managedRows(db, { now, state, search, limit, offset: (page - 1) * limit });
  const polls = rows.map((row) => present(row, now, previews));
  return { polls, page, pages: Math.max(1, Math.ceil(total / limit)), total };
}

/** Closes an open poll now. Throws POLL_NOT_FOUND, and CONFLICT for one that is closed or has not started. */
export async function closePoll({ db, clock }: PollsContext, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const held = await holdPoll(trx, id);
    if (!held) throw errors.pollNotFound();
    const phase = phaseOf(spanOf(held), now);
    if (phase === 'closed') throw errors.conflict(texts.closedAlready);
    // It would be a report of a poll that nobody could vote on, closed before it began.
    if (phase === 'upcoming') throw errors.conflict(texts.notStarted);
    await writeBallot(trx, id, { is_active: false, closed_at: now });
    await touchPoll(trx, id, now);
    await countIntoArchive(trx, [held.category]);
    await requestBuild(trx, clock, texts.buildReasons.closed);
  });
}

/**
 * Opens a closed poll again, until its end or until `endsAt`. Throws POLL_NOT_FOUND, CONFLICT for one that is not closed,
 * and VALIDATION_FAILED when there is no end to come.
 */
export async function reopenPoll({ db, clock }: PollsContext, id: string, endsAt?: string): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const held = await holdPoll(trx, id);
    if (!held) throw errors.pollNotFound();
    if (phaseOf(spanOf(held), now) !== 'closed') throw errors.conflict(texts.openAlready);
    const end = endsAt === undefined ? held.ends_at : Date.parse(endsAt);
    const wrong = whatIsWrongWith(end, held, now);
    if (wrong !== null)
      throw errors.validationFailed(fieldErrors([{ keyword: wrong, instancePath: '/endsAt', params: {} }]));
    await writeBallot(trx, id, { is_active: true, closed_at: null, ends_at: end });
    await touchPoll(trx, id, now);
    // One that is closed by its time alone is not in the archive yet.
    if (held.closed_at !== null) await countArchive(trx, new Map([[held.category ?? '', -1]]));
    await requestBuild(trx, clock, texts.buildReasons.reopened);
  });
}

function whatIsWrongWith(end: number, { starts_at, ends_at }: HeldPoll, now: number): string | null {
  const furthest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + limits.communityYearsAhead);
  // The format of the contract allows leap seconds, which have no moment here.
  if (Number.isNaN(end)) return 'format';
  if (end <= now) return 'afterNow';
  if (end <= starts_at) return 'afterStart';
  // What an import has set may lie further ahead.
  return end !== ends_at && end > furthest ? 'tooFar' : null;
}

function spanOf({ is_active, starts_at, ends_at, closed_at }: Omit<HeldPoll, 'category' | 'total_votes'>): Lifespan {
  return { isActive: Boolean(is_active), startsAt: starts_at, endsAt: ends_at, closedAt: closed_at };
}

const states = { open: 'open', upcoming: 'scheduled', closed: 'closed' } as const;

function present(row: ManagedRow, now: number, previews: PreviewLinks): ManagedPoll {
  const span = spanOf(row);
  const phase = phaseOf(span, now);
  const closedAt = closedMoment(span, now);
  return {
    id: row.id,
    question: row.question,
    state: states[phase],
    totalVotes: row.total_votes,
    votesHere: row.total_votes - row.base_votes,
    startsAt: iso(row.starts_at),
    endsAt: iso(row.ends_at),
    closedAt: isoOrNull(closedAt),
    category: row.category,
    demonstration: Boolean(row.demonstration),
    previewToken: phase === 'upcoming' ? previews.issue(row.id) : null,
  };
}

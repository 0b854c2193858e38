import { sharedActor } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import { closeBallot, lockPollBallot, reopenBallot } from '#api/voting/ballots.service.ts';
import * as limits from '#contract/limits.ts';
import type { ManagedPoll, PollTexts } from './managing.contract.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { draftPage, draftTimes } from './drafts.queries.ts';
import type { Draft } from './drafts.queries.ts';
import { applyChanges, keepDemonstrationPoll, recordVersion } from './editing.service.ts';
import { demonstrationPollIds, managedRows, operatorQuestions, touchPoll } from './managing.queries.ts';
import type { ManagedRow } from './managing.queries.ts';
import { contentOf } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import { watchLists } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';

/** Polls on one page of the operator’s list. */
const managedPolls = 10;

export { demonstrationPollIds, operatorQuestions };

const { managing: texts } = adminApiTexts;

/**
 * One page of polls for the operator, by state and by words of the question or the id: drafts first. Without preview links
 * for those who may not edit polls (`previews` is null).
 */
export async function managedPage(
  { db, clock, previews }: PollsContext & { readonly previews: PreviewLinks | null },
  { page, state, search = '' }: { page: number; state?: ManagedState | undefined; search?: string | undefined },
): Promise<{ polls: ManagedPoll[]; page: number; pages: number; total: number }> {
  const now = clock.now();
  const limit = managedPolls;
  const offset = (page - 1) * limit;
  const hasDrafts = state === undefined || state === 'draft';
  const { drafts, total: before } = hasDrafts
    ? await draftPage(db, { search, limit, offset })
    : { drafts: [], total: 0 };
  const rest = { limit: limit - drafts.length, offset: Math.max(0, offset - before) };
  const published = state === 'draft' ? { rows: [], total: 0 } : await managedRows(db, { now, state, search, ...rest });
  const changes = await draftTimes(
    db,
    published.rows.map(({ id }) => id),
  );
  const polls = [
    ...drafts.map((draft) => presentDraft(draft, previews)),
    ...published.rows.map((row) => present(row, now, { previews, changes: changes.get(row.id) })),
  ];
  const total = before + published.total;
  return { polls, page, pages: Math.max(1, Math.ceil(total / limit)), total };
}

const states = { open: 'open', upcoming: 'scheduled', closed: 'closed' } as const;

interface Extras {
  readonly previews: PreviewLinks | null;
  /** When changes that are not published were saved, and by whom. */
  readonly changes: Pick<Draft, 'changed_at' | 'changed_by'> | undefined;
}

function present(row: ManagedRow, now: number, { previews, changes }: Extras): ManagedPoll {
  const span = lifespanOf(row);
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
    changes: changes ? { at: iso(changes.changed_at), by: changes.changed_by } : null,
    previewToken: previews?.issue(row.id) ?? null,
  };
}

function presentDraft({ id, content, changed_at, changed_by }: Draft, previews: PreviewLinks | null): ManagedPoll {
  const { question, startsAt, endsAt, category } = content;
  return {
    ...{ id, question, state: 'draft', totalVotes: 0, votesHere: 0, startsAt, endsAt, closedAt: null, category },
    ...{
      demonstration: false,
      changes: { at: iso(changed_at), by: changed_by },
      previewToken: previews?.issue(id) ?? null,
    },
  };
}

/** Closes an open poll now. Throws POLL_NOT_FOUND, and CONFLICT for one that is closed or has not started. */
export async function closePoll({ db, clock }: PollsContext, id: string, actor = sharedActor): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const ballot = await lockPollBallot(trx, id);
    if (!ballot) throw errors.pollNotFound();
    const phase = phaseOf(lifespanOf(ballot), now);
    if (phase === 'closed') throw errors.conflict(texts.closedAlready);
    // A poll closed before its start would get a report although nobody could vote on it.
    if (phase === 'upcoming') throw errors.conflict(texts.notStarted);
    await touchPoll(trx, id, now);
    await closeBallot(trx, id, now, actor);
  });
}

/**
 * Reopens a closed poll until its end or until `endsAt`. Throws POLL_NOT_FOUND, CONFLICT for one that is not closed or
 * whose votes are final, and VALIDATION_FAILED when the end is not in the future.
 */
export async function reopenPoll(
  { db, clock }: PollsContext,
  id: string,
  endsAt?: string,
  actor = sharedActor,
): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const ballot = await lockPollBallot(trx, id);
    const poll = await findPoll(trx, id);
    if (!ballot || !poll) throw errors.pollNotFound();
    if (phaseOf(lifespanOf(ballot), now) !== 'closed') throw errors.conflict(texts.openAlready);
    // The secret of its receipts is deleted: later votes would use another one, and the log could not be verified.
    if (ballot.erased_at !== null && ballot.total_votes + ballot.set_aside_votes > ballot.base_votes)
      throw errors.conflict(texts.votesFinal);
    const end = endsAt === undefined ? ballot.ends_at : Date.parse(endsAt);
    const wrong = endProblem(end, ballot, now);
    if (wrong !== null)
      throw errors.validationFailed(fieldErrors([{ keyword: wrong, instancePath: '/endsAt', params: {} }]));
    const { category, closed_at: closedAt } = ballot;
    const recordLists = await watchLists(trx, [{ id, category, closedAt }]);
    await reopenBallot(trx, id, end);
    await touchPoll(trx, id, now);
    const after = { endsAt: iso(end) };
    await record(trx, {
      ...{ at: now, actor, type: 'poll.reopened', subject: { kind: 'poll', id }, after },
      // A poll that only its end has closed is not in the archive yet.
      poll: { kind: 'poll', listed: true, moved: [{ category, closedAt }, null] },
    });
    await recordLists(now);
    const before = contentOf(poll);
    if (end !== ballot.ends_at)
      await recordVersion(trx, id, { before, after: { ...before, ...after }, actor, now, beforeAt: poll.updated_at });
    await keepDemonstrationPoll(trx, id);
  });
}

function endProblem(end: number, { starts_at, ends_at }: BallotModel, now: number): string | null {
  const latest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + limits.communityYearsAhead);
  // The format of the contract allows leap seconds, which Date can't parse.
  if (Number.isNaN(end)) return 'format';
  if (end <= now) return 'afterNow';
  if (end <= starts_at) return 'afterStart';
  // An end that an import has set may be later than the limit.
  return end !== ends_at && end > latest ? 'tooFar' : null;
}

/**
 * Changes texts of a poll; fields that are left out stay. The analysis is safe HTML already. False when nothing changed.
 * Throws POLL_NOT_FOUND, VALIDATION_FAILED, and CONFLICT like {@link applyChanges}.
 */
export async function editPoll(
  { db, clock }: PollsContext,
  id: string,
  { options, ...fields }: PollTexts,
  actor = sharedActor,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const ballot = await lockPollBallot(trx, id);
    const poll = await findPoll(trx, id);
    if (!ballot || !poll) throw errors.pollNotFound();
    const changes = { ...fields, ...(options && { options: reworded(contentOf(poll).options, options) }) };
    return (await applyChanges(trx, poll, changes, { actor, now: clock.now() })).length > 0;
  });
}

type Options = readonly { readonly id: string; readonly text: string }[];

/** All options of a poll, some of them with new texts. Throws CONFLICT for one that it doesn’t have. */
function reworded(stored: Options, changed: Options) {
  const now = new Map(changed.map(({ id, text }) => [id, text]));
  if (changed.some(({ id }) => !stored.some((option) => option.id === id))) throw errors.conflict(texts.noSuchOption);
  return stored.map(({ id, text }) => ({ id, text: now.get(id) ?? text }));
}

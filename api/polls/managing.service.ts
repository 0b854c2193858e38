import { priorities, recordChanges, recordRemoval, watchTopics } from '#api/publishing/changes.service.ts';
import { indexPolls } from '#api/search/search-index.service.ts';
import { BallotOptionModel, lifespanOf } from '#api/voting/ballot.model.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import {
  changeCategory,
  changeOptionText,
  changePublishing,
  closeBallot,
  lockPollBallot,
  reopenBallot,
} from '#api/voting/ballots.service.ts';
import { deleteBallot } from '#api/voting/deletion.service.ts';
import * as limits from '#contract/limits.ts';
import type { ManagedPoll, PollTexts } from '#contract/managed-poll.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import type { Change } from '#domain/pages-of.ts';
import { pollTextsFindings } from '#domain/poll-texts.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { demonstrationPollIds, managedRows, touchPoll } from './managing.queries.ts';
import type { ManagedRow, TextColumns } from './managing.queries.ts';
import { PollModel } from './poll.model.ts';
import { countArchive, countIntoArchive } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';
import { setTopics } from '#api/topics/topics.service.ts';

/** Polls on one page of the operator’s list. */
const managedPolls = 10;

export { demonstrationPollIds };

const { managing: texts } = adminApiTexts;

/** One page of polls for the operator, by state and by words of the question or the id. */
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

const states = { open: 'open', upcoming: 'scheduled', closed: 'closed' } as const;

function present(row: ManagedRow, now: number, previews: PreviewLinks): ManagedPoll {
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
    previewToken: previews.issue(row.id),
  };
}

/** Closes an open poll now. Throws POLL_NOT_FOUND, and CONFLICT for one that is closed or has not started. */
export async function closePoll({ db, clock }: PollsContext, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const ballot = await lockPollBallot(trx, id);
    if (!ballot) throw errors.pollNotFound();
    const phase = phaseOf(lifespanOf(ballot), now);
    if (phase === 'closed') throw errors.conflict(texts.closedAlready);
    // A poll closed before its start would get a report although nobody could vote on it.
    if (phase === 'upcoming') throw errors.conflict(texts.notStarted);
    await closeBallot(trx, id, now);
    await touchPoll(trx, id, now);
    await countIntoArchive(trx, [ballot.category]);
    await indexPolls(trx, [id]);
    await recordChanges(trx, now, [{ kind: 'poll', key: id, event: 'closed' }]);
  });
}

/**
 * Reopens a closed poll until its end or until `endsAt`. Throws POLL_NOT_FOUND, CONFLICT for one that is not closed or
 * whose votes are final, and VALIDATION_FAILED when the end is not in the future.
 */
export async function reopenPoll({ db, clock }: PollsContext, id: string, endsAt?: string): Promise<void> {
  await db.transaction(async (trx) => {
    const now = clock.now();
    const ballot = await lockPollBallot(trx, id);
    if (!ballot) throw errors.pollNotFound();
    if (phaseOf(lifespanOf(ballot), now) !== 'closed') throw errors.conflict(texts.openAlready);
    // The secret of its receipts is deleted: later votes would use another one, and the log could not be verified.
    if (ballot.erased_at !== null && ballot.total_votes + ballot.set_aside_votes > ballot.base_votes)
      throw errors.conflict(texts.votesFinal);
    const end = endsAt === undefined ? ballot.ends_at : Date.parse(endsAt);
    const wrong = endProblem(end, ballot, now);
    if (wrong !== null)
      throw errors.validationFailed(fieldErrors([{ keyword: wrong, instancePath: '/endsAt', params: {} }]));
    const recordMoves = await watchTopics(trx, [id]);
    await reopenBallot(trx, id, end);
    await touchPoll(trx, id, now);
    // A poll that only its end has closed is not in the archive yet.
    if (ballot.closed_at !== null) await countArchive(trx, new Map([[ballot.category ?? '', -1]]));
    await indexPolls(trx, [id]);
    await recordChanges(trx, now, [{ kind: 'poll', key: id, event: 'reopened' }]);
    await recordMoves(now);
    await recordChanges(trx, now, relatedTo(ballot), priorities.background);
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
 * Throws POLL_NOT_FOUND, VALIDATION_FAILED, and CONFLICT for new option texts when the poll has votes, and
 * for publishing ballots or not once it has opened.
 */
export async function editPoll({ db, clock }: PollsContext, id: string, edit: PollTexts): Promise<boolean> {
  const findings = pollTextsFindings(edit);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  return db.transaction(async (trx) => {
    const ballot = await lockPollBallot(trx, id);
    const poll = await PollModel.query(trx).findById(id);
    if (!ballot || !poll) throw errors.pollNotFound();
    const changes = changesOf(edit, poll);
    const isMoved = edit.category !== undefined && orNull(edit.category) !== ballot.category;
    const isReworded = await rewordOptions(trx, ballot, edit.options ?? []);
    const now = clock.now();
    const publishes = edit.publishBallots;
    const isSwitched = publishes !== undefined && publishes !== Boolean(ballot.publish_ballots);
    if (isSwitched && phaseOf(lifespanOf(ballot), now) !== 'upcoming') throw errors.conflict(texts.ballotsLocked);
    if (Object.keys(changes).length === 0 && !isMoved && !isReworded && !isSwitched) return false;

    const recordMoves = await watchTopics(trx, [id]);
    await touchPoll(trx, id, now, changes);
    const { tags = poll.tags, series = poll.series } = changes;
    await setTopics(trx, [{ id, tags, series, closedAt: ballot.closed_at }]);
    if (isSwitched) await changePublishing(trx, id, publishes);
    if (isMoved) await changeCategory(trx, id, orNull(edit.category));
    if (isMoved && ballot.closed_at !== null) {
      const moves = new Map([[ballot.category ?? '', -1]]);
      moves.set(edit.category ?? '', 1);
      await countArchive(trx, moves);
    }
    await indexPolls(trx, [id]);
    await recordChanges(trx, now, [
      // Another category may be new in the archive’s list of categories, or the last of its kind there.
      { kind: ballot.closed_at === null || isMoved ? 'poll' : 'report', key: id, event: 'edited' },
    ]);
    await recordMoves(now);
    if (isMoved) await recordChanges(trx, now, relatedTo(ballot), priorities.background);
    return true;
  });
}

/** The lists that a poll leaves if it was among the most voted of its category. */
function relatedTo({ category, closed_at }: Pick<BallotModel, 'category' | 'closed_at'>): Change[] {
  return closed_at === null || category === null ? [] : [{ kind: 'related', key: category }];
}

/** An empty text clears an optional field. */
function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function changesOf(edit: PollTexts, stored: TextColumns): Partial<TextColumns> {
  const { question, description, tags, series, author, summary, analysis, methodologyNotes } = edit;
  const wanted: Partial<TextColumns> = {
    ...(question !== undefined && { question }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
    ...(series !== undefined && { series: orNull(series) }),
    ...(author !== undefined && { author: orNull(author) }),
    ...(summary !== undefined && { summary: orNull(summary) }),
    ...(analysis !== undefined && { analysis: orNull(analysis) }),
    ...(methodologyNotes !== undefined && { methodology_notes: orNull(methodologyNotes) }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([column, value]) => JSON.stringify(stored[column as keyof TextColumns]) !== JSON.stringify(value),
    ),
  );
}

/** Changes option texts; refused once there are votes, so that no vote changes its meaning. */
async function rewordOptions(
  trx: Database,
  { id, total_votes, set_aside_votes }: BallotModel,
  options: NonNullable<PollTexts['options']>,
): Promise<boolean> {
  if (options.length === 0) return false;
  const rows = await BallotOptionModel.query(trx).where({ ballot_id: id }).select('option_id', 'text');
  const stored = new Map(rows.map(({ option_id, text }) => [option_id, text]));
  const reworded = options.filter((option) => stored.get(option.id) !== option.text);
  if (reworded.some((option) => !stored.has(option.id))) throw errors.conflict(texts.noSuchOption);
  if (reworded.length > 0 && total_votes + set_aside_votes > 0) throw errors.conflict(texts.optionsLocked);
  for (const { id: optionId, text } of reworded) await changeOptionText(trx, id, optionId, text);
  return reworded.length > 0;
}

/**
 * Deletes a poll of the demonstration data with its votes, in the caller's transaction; its voters stay counted as
 * participants. False when it is gone, or an import has made it the operator's own. `beforeDelete` runs once its votes
 * can't change any more.
 */
export async function removeDemonstrationPoll(
  trx: Database,
  id: string,
  now: number,
  beforeDelete: () => Promise<void>,
): Promise<boolean> {
  const ballot = await lockPollBallot(trx, id);
  if (!ballot || !(await PollModel.query(trx).findOne({ id, demonstration: true }))) return false;
  const recordMoves = await watchTopics(trx, [id]);
  // The archive's counters are locked before the headline figures, as everywhere.
  await deleteBallot(trx, id, async () => {
    await beforeDelete();
    if (ballot.closed_at !== null) await countArchive(trx, new Map([[ballot.category ?? '', -1]]));
  });
  await recordRemoval(trx, now, 'poll', [id]);
  await recordMoves(now);
  // Links to a page that is gone go before other lists of related polls are refreshed.
  await recordChanges(trx, now, relatedTo(ballot), priorities.many);
  return true;
}

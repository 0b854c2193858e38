import type { PollEvent } from '#api/events/events.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { leftReasons } from './poll-import.contract.ts';
import type { UndoPreview } from './poll-import.contract.ts';
import { record } from '#api/events/record.service.ts';
import { watchLists } from '#api/polls/polls.service.ts';
import { setTopics } from '#api/polls/topics/topics.service.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import { deleteUnvotedBallots, totalsOf, updateBallots } from '#api/voting/bulk-ballots.service.ts';
import { moveTotals } from '#api/voting/statistics.service.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { isUniqueViolation } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { importHistoryTexts as texts } from '#texts/poll-import.ts';
import { recordHeartbeat, busyImport, count, endStaleImports, findImport } from './import-history.queries.ts';
import { findStoredBallots, updatePolls } from './poll-import.queries.ts';
import type { PreviousPoll, PlannedPoll } from './poll-plan.ts';
import { importedEvent, retried, votePauseMs } from './poll-import.service.ts';
import { isVotedFor, planUndo } from './poll-plan.ts';
import {
  beginUndo,
  changedLater,
  dropImages,
  endUndo,
  leftPolls,
  laterImports,
  markLeft,
  nextImages,
  touchedSeries,
  undoableIds,
  undoCounts,
} from './undo.queries.ts';
import type { UndoOptions } from './undo.queries.ts';
import { importDeadAfterMs } from './import-history.service.ts';
import { importBatchBytes, importBatchRows } from './poll-queue.ts';

/** Polls, series, and imports that the preview of an undo names. */
const undoNamed = 10;

/** The id of the newest import that can be undone, or undefined. */
export async function lastImport(db: Database): Promise<number | undefined> {
  const [id] = await undoableIds(db);
  return id;
}

/** What undoing an import would do now. Throws NOT_FOUND, or CONFLICT for one that can’t be undone. */
export async function previewUndo(db: Database, id: number, asked: UndoOptions = {}): Promise<UndoPreview> {
  if ((await undoableIds(db, [id])).length === 0) throw await refusal(db, id);
  const row = await findImport(db, id);
  const options = row?.state === 'undoing' ? { discardEdits: Boolean(row.discards_edits) } : asked;
  const counts = await undoCounts(db, id, options);
  const reasons = leftReasons.filter((reason) => reason !== 'changes' || !options.discardEdits);
  const kept = await Promise.all(
    reasons.map(async (because) => (await leftPolls(db, id, because, undoNamed)).map((poll) => ({ ...poll, because }))),
  );
  const { removed, restored, votes, kept_voted: keptVoted, kept_changed: keptChanged, kept_later: keptLater } = counts;
  return {
    ...{ removed, restored, keptVoted, keptChanged, keptLater, votes },
    kept: kept.flat(),
    series: await touchedSeries(db, id, options, undoNamed),
    later: (await laterImports(db, id, undoNamed)).map((later) => ({
      id: String(later.id),
      fileName: later.file_name,
      startedAt: iso(later.started_at),
      polls: later.polls,
    })),
  };
}

/**
 * Undoes an import. Polls that it added are deleted unless people have voted on them; polls that it updated are restored.
 * Polls that a later import changed are kept, and so are those edited since then unless `discardEdits` is set. Votes cast
 * here always stay. It runs in batches, each in a transaction: an interrupted undo is continued by calling it again, with
 * its original options, and two at once share the work. Throws like {@link previewUndo}.
 */
export async function undoImport(
  { db, clock }: { db: Database; clock: Clock },
  id: number,
  options: UndoOptions & { readonly actor?: string } = {},
): Promise<void> {
  await endStaleImports(db, { now: clock.now(), deadAfterMs: importDeadAfterMs }, texts.brokenOff);
  const other = await busyImport(db);
  if (other && other.id !== id) throw errors.conflict(texts.busy);
  if (other?.state !== 'undoing') await begin(db, clock, id, options);
  while (await retried(() => db.transaction((trx) => undoBatch(trx, clock, id)))) await pause(votePauseMs);
}

async function begin(
  db: Database,
  clock: Clock,
  id: number,
  { actor = 'terminal', ...options }: UndoOptions & { readonly actor?: string },
): Promise<void> {
  const now = clock.now();
  // An import may have started in the meantime: the index refuses a second busy one.
  const begun = await db
    .transaction(async (trx) => {
      if (!(await beginUndo(trx, id, options, now))) return false;
      const { file_name: fileName } = (await findImport(trx, id))!;
      const subject = { kind: 'import', id: String(id) };
      await record(trx, { at: now, actor, type: 'import.undo', subject, after: { fileName, ...options } });
      return true;
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) throw errors.conflict(texts.busy);
      throw error;
    });
  // Another process may have started the same undo at the same time.
  if (!begun && (await busyImport(db))?.id !== id) throw await refusal(db, id);
}

/** Why an import can’t be undone. */
async function refusal(db: Database, id: number): Promise<Error> {
  const row = await findImport(db, id);
  if (!row) return errors.noSuchImport(texts.noSuchImport);
  if (row.state === 'running') return errors.conflict(texts.busy);
  return errors.conflict(row.state === 'undone' ? texts.undoneAlready : texts.nothingLeft);
}

/** Restores some polls; false if there is nothing left to do. */
async function undoBatch(trx: Database, clock: Clock, id: number): Promise<boolean> {
  const now = clock.now();
  if (!(await recordHeartbeat(trx, { id, state: 'undoing' }, now))) return false;
  const images = await nextImages(trx, id, { most: importBatchRows, size: importBatchBytes });
  if (images.length === 0) {
    await endUndo(trx, id, now);
    return false;
  }
  const discardsEdits = Boolean((await findImport(trx, id))?.discards_edits);
  const ids = images.map(({ poll_id }) => poll_id);
  await lockBallots(trx, ids);
  const stored = await findStoredBallots(trx, ids);
  const totals = await totalsOf(trx, ids);
  const laterIds = await changedLater(trx, id, ids);

  const restored: PlannedPoll[] = [];
  const added: string[] = [];
  const voted: string[] = [];
  const changed: string[] = [];
  const later: string[] = [];
  for (const { poll_id: pollId, before, updated_at: updatedAt } of images) {
    const current = stored.get(pollId);
    if (!current?.poll) continue;
    if (laterIds.has(pollId)) later.push(pollId);
    else if (before === null && current.options.some(isVotedFor)) {
      voted.push(pollId);
    } else if (current.poll.updatedAt !== updatedAt && !discardsEdits) {
      changed.push(pollId);
    } else if (before === null) {
      added.push(pollId);
    } else {
      const poll = planUndo(JSON.parse(before) as PreviousPoll, current, now);
      restored.push(poll);
    }
  }
  const recordLists = await watchLists(trx, [...stored.values(), ...restored]);
  const turned = await updateBallots(trx, restored);
  await updatePolls(trx, restored);
  await setTopics(trx, restored);
  const removed = await deleteUnvotedBallots(trx, added);
  await record(trx, [
    ...removed.map(({ id: pollId, category, closed_at: closedAt }): PollEvent => ({
      ...{ type: 'poll.removed', at: now, subject: { kind: 'poll', id: pollId } },
      poll: { kind: 'poll', listed: true, moved: [{ category, closedAt }, null] },
      publish: { many: true },
    })),
    ...restored.map((poll) =>
      importedEvent(poll, { before: stored.get(poll.id) ?? null, now, turned, event: 'restored' }),
    ),
  ]);
  await recordLists(now, { many: true, isRemoval: removed.length > 0 });

  await markLeft(trx, id, voted, 'votes');
  await markLeft(trx, id, [...changed, ...later], 'changes');
  await dropImages(trx, id, ids);
  await count(trx, id, {
    ...{ removed: removed.length, restored: restored.length },
    ...{ kept_voted: voted.length, kept_changed: changed.length, kept_later: later.length },
  });
  await moveTotals(trx, totals, await totalsOf(trx, ids));
  return true;
}

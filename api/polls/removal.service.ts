import { record } from '#api/events/record.service.ts';
import type { PollEvent } from '#api/events/events.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import { lockBallots, lockPollBallot } from '#api/voting/ballots.service.ts';
import { deleteBallot } from '#api/voting/deletion.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { EditedPoll } from './poll-editor.contract.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { editedIn } from './drafts.service.ts';
import type { EditorContext } from './drafts.service.ts';
import { deleteDraft, insertDeletedPoll, insertDraft } from './drafts.queries.ts';
import { hasVotes } from './editing.service.ts';
import { PollModel } from './poll.model.ts';
import { contentOf } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import { watchLists } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';

const { managing: texts } = adminApiTexts;

/**
 * Deletes a poll of the demonstration data with its votes, in the caller's transaction; its voters stay counted as
 * participants. False when it is gone, or an import has made it the operator's own.
 */
export async function removeDemonstrationPoll(
  { trx, clock }: { readonly trx: Database; readonly clock: Clock },
  id: string,
  actor: string,
): Promise<boolean> {
  const ballot = await lockPollBallot(trx, id);
  if (!ballot || !(await PollModel.query(trx).findOne({ id, demonstration: true }))) return false;
  await removePoll({ trx, clock }, ballot, { type: 'demonstration.remove', actor });
  return true;
}

/** Deletes a locked poll with its votes, from pages and lists, too; its voters stay participants. */
async function removePoll(
  { trx, clock }: { readonly trx: Database; readonly clock: Clock },
  ballot: BallotModel,
  removal: Pick<PollEvent, 'type' | 'actor' | 'before' | 'after'>,
): Promise<void> {
  const { id, category, closed_at: closedAt } = ballot;
  const now = clock.now();
  const recordLists = await watchLists(trx, [{ id, category, closedAt }]);
  // The archive's counters are locked before the headline figures, as everywhere.
  await deleteBallot(trx, id, async () => {
    const poll = { kind: 'poll', listed: true, moved: [{ category, closedAt }, null] } as const;
    await record(trx, { at: now, subject: { kind: 'poll', id }, ...removal, poll });
  });
  await recordLists(now, { isRemoval: true });
}

/**
 * Turns a poll that nobody voted on back into a draft with the same id, keeping unpublished changes. Throws POLL_NOT_FOUND,
 * and CONFLICT when it has votes.
 */
export async function unpublishPoll(context: EditorContext, id: string, actor: string): Promise<EditedPoll> {
  const { db, clock } = context;
  return db.transaction(async (trx) => {
    const ballot = await lockPollBallot(trx, id);
    const poll = await findPoll(trx, id);
    if (!ballot || !poll) throw errors.pollNotFound();
    if (hasVotes(ballot)) throw errors.conflict(texts.hasVotes);
    const now = clock.now();
    const { content } = await editedIn({ ...context, db: trx }, id);
    await deleteDraft(trx, id);
    await insertDraft(trx, { id, content, base: null, created_at: now, changed_at: now, changed_by: actor });
    await removePoll({ trx, clock }, ballot, { type: 'poll.unpublish', actor, before: contentOf(poll) });
    return editedIn({ ...context, db: trx }, id);
  });
}

/**
 * Deletes a poll with its votes, draft, and earlier texts. Its id is never used again, and its address shows the reason or
 * leads to `redirectTo`. Throws POLL_NOT_FOUND, and VALIDATION_FAILED when that is not another poll with a page.
 */
export async function deletePoll(
  { db, clock }: PollsContext,
  id: string,
  { reason, redirectTo: target }: BodyOf<'deletePoll'>,
  actor: string,
): Promise<void> {
  const redirectTo = target ?? null;
  await db.transaction(async (trx) => {
    // Deleting two polls at once, each with a link to the other, would make them a loop.
    if (redirectTo !== null) await lockBallots(trx, [id, redirectTo]);
    const ballot = await lockPollBallot(trx, id);
    const poll = await findPoll(trx, id);
    if (!ballot || !poll) throw errors.pollNotFound();
    const now = clock.now();
    if (redirectTo !== null) {
      const other = redirectTo === id ? undefined : await findPoll(trx, redirectTo);
      if (!other || phaseOf(lifespanOf(other.ballot), now) === 'upcoming')
        throw errors.validationFailed(
          fieldErrors([{ keyword: 'noSuchPoll', instancePath: '/redirectTo', params: {} }]),
        );
    }
    await insertDeletedPoll(trx, { id, deleted_at: now, reason, redirect_to: redirectTo });
    const before = { question: poll.question, totalVotes: ballot.total_votes };
    const removal = { type: 'poll.removed', actor, before, after: { reason, redirectTo } } as const;
    await removePoll({ trx, clock }, ballot, removal);
  });
}

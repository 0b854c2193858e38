import * as limits from '#contract/limits.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import { optionKey } from '#domain/option-key.ts';
import { writtenOptions } from '#domain/verification/paper.ts';
import type { Database } from '#platform/database.ts';
import { HttpError, errors } from '#platform/errors.ts';
import { writeInErrors as texts } from '#texts/write-ins.ts';
import { isShown } from './ballot.model.ts';
import { decide, expiryActor } from './decisions.service.ts';
import type { DecisionContext } from './decisions.service.ts';
import { recordHeld } from './held-votes.service.ts';
import { newestVoteId } from './voting.service.ts';
import type { WrittenVote } from './voting.service.ts';

/** Milliseconds after the end of a poll in which its creator can review what voters wrote. */
const reviewedWithinMs = 7 * 86_400_000;

/** An answer that a voter wrote, and that waits for the creator of the poll. */
export interface WaitingAnswer {
  /** That of its option. */
  readonly id: string;
  readonly text: string;
  readonly votes: number;
  /** Milliseconds. */
  readonly at: number;
}

const refused = (message: string) => errors.validationFailed([{ field: 'writeIn', message }]);

/**
 * Records the vote of somebody who writes an answer: it has a receipt, and counts once the creator has approved the answer.
 * One that waits already is joined, which only the number of its option tells; returns whether it is new. Throws VALIDATION_FAILED
 * for an answer that can’t be taken, with the option that it repeats, and what recording a held vote throws.
 */
export async function recordWriteIn(context: DecisionContext, vote: WrittenVote): Promise<boolean> {
  const { ballotId, text } = vote;
  const textKey = optionKey(text);
  let isNew = false;
  await recordHeld(context, vote, async (trx, { ballot, ballotKey, now }) => {
    if (!ballot.write_ins) throw refused(texts.notTaken);
    const options = await optionsOf(trx, ballotId);
    const same = options.find((option) => isShown(option) && optionKey(option.text) === textKey);
    if (same) throw refused(texts.exists(same.text));
    const known = await trx('write_ins').where({ ballot_key: ballotKey, text_key: textKey }).first();
    const written = options.find(({ key }) => key === known?.option_key);
    if (written?.written === 'rejected') throw refused(texts.rejected);
    const into = options.find(({ key }) => key === written?.merged_into);
    if (into) throw refused(texts.merged(into.text));
    // As without one that could be joined: nobody learns whether there is one.
    const waiting = options.filter((option) => option.written === 'waiting').length;
    if (waiting >= limits.writeInsWaiting) throw refused(texts.tooManyWaiting);
    if (options.filter(isShown).length >= limits.communityOptionsMax) throw refused(texts.full);
    const number = options.filter((option) => option.written !== null).length;
    if (number >= limits.writeIns) throw refused(texts.full);
    if (known) return { option: known.option_key, hold: known.decision_key };
    const { id, label } = writtenOptions[number]!;
    const position = 1 + Math.max(...options.map((option) => option.position));
    await trx('ballot_options').insert({
      ...{ ballot_id: ballotId, option_id: id, position, offered: false, text: label, written: 'waiting' },
    });
    // SQLite gives keys in a trigger.
    const option = (await trx('ballot_options').where({ ballot_id: ballotId, option_id: id }).pluck('key'))[0]!;
    const [hold] = await trx('vote_decisions')
      .insert({
        ...{ ballot_key: ballotKey, action: 'hold', state: 'held', reason: writtenReason, votes: 0 },
        number: trx('vote_decisions').where({ ballot_key: ballotKey }).select(trx.raw('1 + coalesce(max(number), 0)')),
        ...{ cluster: '{}', note: '', made_by: expiryActor, made_at: now, expires_at: null, first_id: 0, last_id: 0 },
      })
      .returning('key');
    await trx('write_ins').insert({
      ...{
        ballot_key: ballotKey,
        option_key: option,
        decision_key: hold!.key,
        text,
        text_key: textKey,
        created_at: now,
      },
    });
    isNew = true;
    return { option, hold: hold!.key };
  });
  return isNew;
}

const optionsOf = (trx: Database, ballotId: string) =>
  trx('ballot_options')
    .where({ ballot_id: ballotId })
    .orderBy('position')
    .select('key', 'option_id', 'position', 'text', 'written', 'merged_into');

/** The answers on a ballot that wait, oldest first. */
export async function waitingAnswers(db: Database, ballotId: string): Promise<WaitingAnswer[]> {
  return db('write_ins as w')
    .join('ballot_options as o', 'o.key', 'w.option_key')
    .join('vote_decisions as d', 'd.key', 'w.decision_key')
    .where({ 'o.ballot_id': ballotId, 'o.written': 'waiting' })
    .orderBy('o.position')
    .select('o.option_id as id', 'w.text', 'd.votes', 'w.created_at as at');
}

/** What a review makes of an answer: `into` is the id of the option that it counts for. */
export type Review =
  | { readonly action: 'approve' | 'reject'; readonly into?: undefined }
  | { readonly action: 'merge'; readonly into: string };

/**
 * Decides about a written answer, once. Approved, it is an option with its votes; merged, its votes count for another option;
 * rejected, they are set aside. `also` runs in the same transaction. Throws NOT_FOUND, INVALID_OPTION, and CONFLICT where
 * somebody has decided about it, for one option too many, and as other decisions do.
 */
export async function reviewWriteIn(
  context: DecisionContext,
  { ballotId, id, action, into }: { readonly ballotId: string; readonly id: string } & Review,
  { actor, also }: { readonly actor: string; readonly also?: (trx: Database, now: number) => Promise<void> },
): Promise<void> {
  const found = await context
    .db('write_ins as w')
    .join('ballot_options as o', 'o.key', 'w.option_key')
    .where({ 'o.ballot_id': ballotId, 'o.option_id': id })
    .first<{ decision_key: number; option_key: number; text: string } | undefined>('w.*');
  if (!found) throw errors.notFound();
  const { option_key: key, text } = found;
  let isDone = false;
  await decide(context, found.decision_key, action === 'reject' ? 'confirm' : 'release', {
    actor,
    async also(trx, now) {
      const shown = (await optionsOf(trx, ballotId)).filter(isShown);
      if (action === 'approve' && shown.length >= limits.communityOptionsMax)
        throw errors.conflict(texts.noMoreOptions);
      const target = shown.find((option) => option.option_id === into);
      if (action === 'merge' && !target) throw errors.invalidOption();
      const changes = {
        approve: { written: 'approved', offered: true, text, added_after: await newestVoteId(trx) },
        merge: { written: 'merged', merged_into: target?.key ?? null },
        reject: { written: 'rejected' },
      } as const;
      const reviewed = await trx('ballot_options')
        .where({ key, written: 'waiting' })
        .update({ ...changes[action], decided_at: now });
      if (reviewed === 0) throw errors.conflict(texts.reviewed);
      await also?.(trx, now);
      isDone = true;
    },
  });
  if (!isDone) throw errors.conflict(texts.reviewed);
}

/** Sets the votes for answers aside that nobody has reviewed within a week after the end. */
export async function expireWriteIns(context: DecisionContext): Promise<void> {
  const due = await context
    .db('write_ins as w')
    .join('ballot_options as o', 'o.key', 'w.option_key')
    .join('ballots as b', 'b.id', 'o.ballot_id')
    .where('o.written', 'waiting')
    .where('b.closed_at', '<=', context.clock.now() - reviewedWithinMs)
    .select<{ ballotId: string; id: string }[]>('b.id as ballotId', 'o.option_id as id');
  for (const answer of due)
    await reviewWriteIn(context, { ...answer, action: 'reject' }, { actor: expiryActor }).catch((error: unknown) => {
      // The creator was faster, or the poll was deleted.
      if (!(error instanceof HttpError && error.status < 500)) throw error;
    });
}

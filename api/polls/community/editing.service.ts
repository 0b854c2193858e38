import { requireOffered } from '#api/voting/protection.service.ts';
import { record } from '#api/events/record.service.ts';
import { choiceOf } from '#api/voting/choices.model.ts';
import type { BallotChoice } from '#api/voting/choices.model.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import {
  changeEnd,
  changeOrder,
  changeProtection,
  changePublishing,
  lockBallots,
  replaceOptions,
} from '#api/voting/ballots.service.ts';
import type { Voter } from '#api/voting/voter.ts';
import type { CommunityPoll, CommunityPollEdit, RecordedEdit } from './community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { choiceIn, newCommunityPollFindings } from '#domain/community-poll-rules.ts';
import type { Protection } from '#contract/vocabulary.ts';
import { defaultOrder } from '#domain/option-order.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { protectionOf } from '#domain/protection.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { communityApiTexts as texts } from '#texts/community.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { accessTo, authorize } from './access.service.ts';
import { CommunityPollModel, EditModel } from './community-poll.model.ts';
import { findCommunityPoll } from './community-polls.queries.ts';
import { communityPollFor } from './community-polls.service.ts';
import type { CommunityContext } from './community-polls.service.ts';

/**
 * Changes the caller’s own poll; fields that are left out stay. Question, options, what a vote chooses, and result visibility
 * change only while nobody has voted; the database decides between an edit and the first vote. Later changes are recorded for everyone who
 * can open the poll. Throws what `accessTo` throws, FORBIDDEN, VALIDATION_FAILED, POLL_CLOSED for a new end after the
 * end, and CONFLICT for texts that can’t change any more, or after too many edits.
 */
export async function editCommunityPoll(
  context: CommunityContext & { readonly protections: readonly Protection[] },
  pollId: string,
  creator: Voter & { readonly userId: string },
  edit: CommunityPollEdit,
): Promise<CommunityPoll> {
  const { db, clock } = context;
  await db.transaction(async (trx) => {
    const now = clock.now();
    const { may } = await accessTo({ db: trx, now }, pollId, creator.userId);
    authorize(may.edit);
    await lockBallots(trx, [pollId]);
    const poll = await findCommunityPoll(trx, pollId);
    if (!poll) throw errors.pollNotFound();
    const changed = changesOf(poll, edit);
    if (changed.size === 0) return;
    throwIfInvalid(poll, edit, changed, now);
    const { ballot } = poll;
    if (changed.has('endsAt') && phaseOf(lifespanOf(ballot), now) === 'closed') throw errors.pollClosed();
    const hasVotes = ballot.total_votes + ballot.set_aside_votes > 0;
    if (hasVotes && fixedByVotes.some((field) => changed.has(field))) throw errors.conflict(texts.textsLocked);
    const isRecorded = hasVotes && recorded.some((field) => changed.has(field));
    if (isRecorded) await recordEdit(trx, pollId, changed, now);
    if (changed.has('protection')) {
      requireOffered(edit.protection, poll.visibility === 'private' ? [] : context.protections);
      await changeProtection(trx, ballot, edit.protection!, now);
    }
    if (changed.has('endsAt')) await changeEnd(trx, pollId, endOf(edit.endsAt));
    const { question = poll.question, description = poll.description, resultVisibility } = edit;
    const isReworded = fixedByVotes.some((field) => changed.has(field));
    if (isReworded) {
      const optionTexts = edit.options?.map(({ text }) => text) ?? ballot.options.map(({ text }) => text);
      // New ids, so that a vote from a page with the earlier wording is refused.
      const prefix = `option-${poll.wording + 1}`;
      await replaceOptions(
        trx,
        pollId,
        optionTexts.map((text, index) => ({ id: `${prefix}-${index + 1}`, text })),
        choiceAfter(poll, edit),
        { writeIns: edit.writeIns ?? Boolean(ballot.write_ins) },
      );
      // An order that followed from the options follows from the new ones.
      if (ballot.option_order === defaultOrder(ballot.options.map(({ text }) => text)))
        await changeOrder(trx, pollId, 'auto', optionTexts);
      if (resultVisibility === 'creator') await changePublishing(trx, pollId, false);
    }
    await CommunityPollModel.query(trx)
      .findById(pollId)
      .patch({
        ...{ question, description, updated_at: now },
        result_visibility: resultVisibility ?? poll.result_visibility,
        comments_open: edit.commentsOpen ?? poll.comments_open,
        wording: poll.wording + (isReworded ? 1 : 0),
        ...(isRecorded && { edited_at: now }),
      });
    await record(trx, {
      ...{ type: 'poll.edited', at: now, subject: { kind: 'community-poll', id: pollId } },
      poll: { kind: 'community', listed: poll.visibility === 'public' },
    });
  });
  return communityPollFor(context, pollId, creator);
}

/** Edits of a poll with votes, newest first, for everyone who can open it; throws what `accessTo` throws. */
export async function editsOf(
  { db, clock }: CommunityContext,
  pollId: string,
  userId: string | null,
): Promise<RecordedEdit[]> {
  await accessTo({ db, now: clock.now() }, pollId, userId);
  const edits = await EditModel.query(db).where({ poll_id: pollId }).orderBy('key', 'desc');
  return edits.map(({ edited_at, changes }) => ({ editedAt: iso(edited_at), changes }));
}

type EditField = keyof CommunityPollEdit;
type Change = RecordedEdit['changes'][number];

/** What a vote refers to, and under what promise it was cast. */
const fixedByVotes = ['question', 'options', 'method', 'writeIns', 'resultVisibility'] as const satisfies EditField[];
/** What may change after the first vote, if everyone can see that it did. */
const recorded = ['description', 'endsAt'] as const satisfies EditField[];

/** What a vote chooses after an edit: at most as many options as there are, which an edit may have removed. */
function choiceAfter({ ballot }: Pick<CommunityPollModel, 'ballot'>, edit: CommunityPollEdit): BallotChoice {
  const { method, minChoices, maxChoices } = edit;
  const options = edit.options?.length ?? ballot.options.length;
  const before = choiceOf(ballot);
  if (method === undefined && minChoices === undefined && maxChoices === undefined) {
    const max = Math.min(before.max, options);
    return { method: before.method, min: Math.min(before.min, max), max };
  }
  return choiceIn({ method: method ?? before.method, minChoices, maxChoices }, options);
}

/** The fields that an edit changes, with their values before and after as texts; null for none. */
function changesOf(
  { ballot, ...poll }: CommunityPollModel,
  edit: CommunityPollEdit,
): ReadonlyMap<EditField, Omit<Change, 'field'>> {
  const lines = (options: readonly { readonly text: string }[]) => options.map(({ text }) => text).join('\n');
  const pairs: [EditField, string | null, string | null | undefined][] = [
    ['question', poll.question, edit.question],
    ['description', poll.description, edit.description],
    ['options', lines(ballot.options), edit.options && lines(edit.options)],
    ['method', Object.values(choiceOf(ballot)).join(), Object.values(choiceAfter({ ballot }, edit)).join()],
    ['writeIns', String(Boolean(ballot.write_ins)), edit.writeIns === undefined ? undefined : String(edit.writeIns)],
    ['endsAt', isoOrNull(ballot.ends_at), edit.endsAt === undefined ? undefined : isoOrNull(endOf(edit.endsAt))],
    ['resultVisibility', poll.result_visibility, edit.resultVisibility],
    ['protection', protectionOf(ballot.protection), edit.protection],
    [
      'commentsOpen',
      String(Boolean(poll.comments_open)),
      edit.commentsOpen === undefined ? undefined : String(edit.commentsOpen),
    ],
  ];
  return new Map(
    pairs.flatMap(([field, before, after]) =>
      after === undefined || after === before ? [] : [[field, { before, after }] as const],
    ),
  );
}

/** The time in milliseconds; null for none, and for a leap second, which validation refuses. */
function endOf(endsAt: string | null | undefined): number | null {
  const end = endsAt == null ? Number.NaN : Date.parse(endsAt);
  return Number.isNaN(end) ? null : end;
}

function throwIfInvalid(
  { ballot, ...poll }: CommunityPollModel,
  edit: CommunityPollEdit,
  changed: ReadonlyMap<EditField, unknown>,
  now: number,
): void {
  const { question = poll.question, description = poll.description, options = ballot.options, endsAt } = edit;
  const { method = ballot.method, minChoices, maxChoices, writeIns = Boolean(ballot.write_ins) } = edit;
  const findings = newCommunityPollFindings(
    {
      ...{ question, description, method, minChoices, maxChoices, writeIns, startsAt: iso(ballot.starts_at) },
      options: options.map(({ text }, index) => ({ id: `option-${index + 1}`, text })),
      // An end that stays may have passed.
      endsAt: changed.has('endsAt') ? (endsAt ?? null) : null,
    },
    now,
  );
  // Texts that stay may be from before a rule.
  const wrong = findings.filter(({ instancePath }) => {
    const field = instancePath.split('/')[1] as EditField;
    if (field === 'writeIns') return changed.has('method') || changed.has(field);
    return changed.has(field === 'minChoices' || field === 'maxChoices' ? 'method' : field);
  });
  if (wrong.length > 0) throw errors.validationFailed(fieldErrors(wrong));
}

async function recordEdit(
  trx: Database,
  pollId: string,
  changed: ReadonlyMap<EditField, Omit<Change, 'field'>>,
  now: number,
): Promise<void> {
  // The poll’s lock keeps others from adding edits meanwhile.
  if ((await EditModel.query(trx).where({ poll_id: pollId }).resultSize()) >= limits.communityEdits)
    throw errors.conflict(texts.editedTooOften(limits.communityEdits));
  const changes = recorded.flatMap((field): Change[] => {
    const change = changed.get(field);
    return change ? [{ field, ...change }] : [];
  });
  await EditModel.query(trx).insert({ poll_id: pollId, edited_at: now, changes });
}

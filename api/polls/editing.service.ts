import { record } from '#api/events/record.service.ts';
import { setTopics } from '#api/polls/topics/topics.service.ts';
import {
  changeCategory,
  changeOptionText,
  changeProtection,
  changeOrder,
  changePublishing,
  changeTimes,
  createBallot,
  replaceOptions,
  setBallotShown,
} from '#api/voting/ballots.service.ts';
import { oneChoice } from '#api/voting/choices.model.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import type { BallotModel } from '#api/voting/ballot.model.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import * as limits from '#contract/limits.ts';
import type { ChangedFields, ContentField, PollContent } from './poll-editor.contract.ts';
import { contentFields } from './poll-editor.contract.ts';
import { pick } from '#domain/field-changes.ts';
import { changedFields, contentFindings, offeredTexts, tidyContent } from '#domain/poll-draft.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { findVersions, insertVersion } from './drafts.queries.ts';
import { touchPoll } from './managing.queries.ts';
import type { TextColumns } from './managing.queries.ts';
import { PollModel } from './poll.model.ts';
import { contentOf } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import { watchLists } from './polls.service.ts';

const { managing: texts } = adminApiTexts;

/** Who changes a poll, and when (milliseconds). */
export interface Edit {
  readonly actor: string;
  readonly now: number;
}

/** What kind of edit it is, and why it was made, if that was asked. */
interface ReasonedEdit {
  readonly type?: 'poll.edited' | 'poll.restore' | 'votes.protection';
  readonly note?: string | undefined;
}

/** Whether anybody voted, here or in an import, so that no option may change its meaning. */
export const hasVotes = ({ total_votes, set_aside_votes }: Pick<BallotModel, 'total_votes' | 'set_aside_votes'>) =>
  total_votes + set_aside_votes > 0;

/**
 * Creates a poll that opens at its start, or now if that has passed, in a transaction that has begun writing. The analysis
 * is safe HTML already. Throws VALIDATION_FAILED.
 */
export async function createPoll(
  trx: Database,
  id: string,
  draft: PollContent,
  { actor, now }: Edit,
): Promise<PollContent> {
  const content = startingFrom(now, tidyContent(draft));
  const findings = contentFindings(content, now);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  const { category, options, publishBallots, protection, optionOrder, tags, series } = content;
  await createBallot(trx, {
    ...{ id, kind: 'poll', category, options, publishBallots, protection, optionOrder, listed: true, inTotals: true },
    ...{ startsAt: timeOf(content.startsAt), endsAt: timeOf(content.endsAt), offered: limits.offeredOptions },
  });
  await PollModel.query(trx).insert({ id, ...columnsOf(content, contentFields), created_at: now, updated_at: now });
  await setTopics(trx, [{ id, tags, series, closedAt: null }]);
  await recordVersion(trx, id, { before: null, after: content, actor, now });
  const poll = { kind: 'poll', listed: true } as const;
  await record(trx, { at: now, actor, type: 'poll.created', subject: { kind: 'poll', id }, after: content, poll });
  await addTotals(trx, { total_polls: 1 });
  return content;
}

/**
 * Changes fields of a locked poll, read with ballot and options; fields that are left out stay. The analysis is safe HTML
 * already. Returns the fields that differ. Throws VALIDATION_FAILED, and CONFLICT for options once there are votes, for the
 * start or publishing ballots once it has opened, and for the end once it is closed.
 */
export async function applyChanges(
  trx: Database,
  poll: PollModel,
  wanted: ChangedFields,
  { actor, now, type = 'poll.edited', note }: Edit & ReasonedEdit,
): Promise<ContentField[]> {
  const { id, ballot } = poll;
  const before = contentOf(poll);
  const named = contentFields.filter((field) => wanted[field] !== undefined);
  let after = { ...before, ...pick(tidyContent({ ...before, ...wanted }), named) };
  if (after.startsAt !== before.startsAt) after = startingFrom(now, after);
  const fields = changedFields(before, after);
  if (fields.length === 0) return [];
  const findings = contentFindings(after, now, before);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  refuseLocked(ballot, fields, now);

  const [isMoved, isRetimed] = [fields.includes('category'), fields.some((field) => /^(starts|ends)At$/.test(field))];
  const changedAt = poll.updated_at;
  const closedAt = ballot.closed_at;
  const recordLists = await watchLists(trx, [{ id, category: isMoved ? before.category : null, closedAt }]);
  await touchPoll(trx, id, now, columnsOf(after, fields));
  await setTopics(trx, [{ id, tags: after.tags, series: after.series, closedAt }]);
  if (fields.includes('options')) await writeOptions(trx, id, before, after);
  if (fields.includes('optionOrder')) await changeOrder(trx, id, after.optionOrder, offeredTexts(after));
  if (fields.includes('publishBallots')) await changePublishing(trx, id, after.publishBallots);
  if (fields.includes('protection')) await changeProtection(trx, ballot, after.protection, now);
  if (isRetimed) await changeTimes(trx, id, timeOf(after.startsAt), timeOf(after.endsAt));
  if (isMoved) await changeCategory(trx, id, after.category);
  await recordVersion(trx, id, { before, after, actor, now, beforeAt: changedAt });
  await record(trx, {
    ...{ at: now, actor, type, subject: { kind: 'poll', id } },
    before: pick(before, fields),
    after: { ...pick(after, fields), ...(note !== undefined && { note }) },
    poll: {
      ...{ kind: 'poll', listed: true },
      moved: [
        { category: before.category, closedAt },
        { category: after.category, closedAt },
      ],
    },
    // Another category may be new in the archive’s list of categories, or the last of its kind there.
    publish: { ...(closedAt !== null && !isMoved && { kind: 'report' }) },
  });
  await recordLists(now);
  await keepDemonstrationPoll(trx, id);
  return fields;
}

/** The same for a weekly poll whose ballot is locked, by its id; false when there is none. */
export async function changePoll(
  trx: Database,
  id: string,
  wanted: ChangedFields,
  edit: Edit & ReasonedEdit,
): Promise<boolean> {
  const poll = await findPoll(trx, id);
  if (poll) await applyChanges(trx, poll, wanted, edit);
  return poll !== undefined;
}

/**
 * Makes a locked poll of the demonstration data the operator’s own, as an import does: removing that data leaves it, and it
 * counts toward the headline figures. Call it last in a transaction, like every change of them.
 */
export async function keepDemonstrationPoll(trx: Database, id: string): Promise<void> {
  const kept = await PollModel.query(trx).where({ id, demonstration: true }).patch({ demonstration: false });
  if (kept > 0) await setBallotShown(trx, id, { listed: true, inTotals: true });
}

function refuseLocked(ballot: BallotModel, fields: readonly ContentField[], now: number): void {
  const phase = phaseOf(lifespanOf(ballot), now);
  if (fields.some((field) => /^option(s|Order)$/.test(field)) && hasVotes(ballot))
    throw errors.conflict(texts.optionsLocked);
  if (fields.includes('publishBallots') && phase !== 'upcoming') throw errors.conflict(texts.ballotsLocked);
  if (fields.includes('startsAt') && phase !== 'upcoming') throw errors.conflict(texts.startLocked);
  if (fields.includes('endsAt') && phase === 'closed') throw errors.conflict(texts.endLocked);
}

/** The content with a start that is not in the past. */
function startingFrom(now: number, content: PollContent): PollContent {
  return content.startsAt !== null && Date.parse(content.startsAt) < now ? { ...content, startsAt: iso(now) } : content;
}

/** Milliseconds of a time that has been validated. */
const timeOf = (moment: string | null) => Date.parse(moment!);

/** The columns of the table of texts that have these fields. */
function columnsOf(content: PollContent, fields: readonly ContentField[]): Partial<TextColumns> {
  const { question, description, tags, series, author, summary, analysis } = content;
  const columns = {
    ...{ question, description, tags, series, author, summary, analysis },
    methodologyNotes: content.methodologyNotes,
    countryBreakdown: content.countryBreakdown,
    provenance: content.provenance,
    seriesNote: content.seriesNote,
  };
  const names = {
    ...{ methodologyNotes: 'methodology_notes', countryBreakdown: 'country_breakdown', seriesNote: 'series_note' },
  } as const;
  return Object.fromEntries(
    fields.flatMap((field) =>
      field in columns
        ? [[(names as Record<string, string>)[field] ?? field, columns[field as keyof typeof columns]]]
        : [],
    ),
  );
}

async function writeOptions(trx: Database, id: string, before: PollContent, after: PollContent): Promise<void> {
  const isReworded = (option: { id: string }, place: number) => option.id === before.options[place]?.id;
  if (after.options.length !== before.options.length || !after.options.every(isReworded)) {
    await replaceOptions(trx, id, after.options, oneChoice, { offered: limits.offeredOptions });
    return;
  }
  for (const [place, { id: optionId, text }] of after.options.entries())
    if (text !== before.options[place]?.text) await changeOptionText(trx, id, optionId, text);
}

interface VersionChange extends Edit {
  readonly before: PollContent | null;
  readonly after: PollContent;
  /** When the content before was stored; by default now. */
  readonly beforeAt?: number;
}

/** Records what is published from now on, and before it what an import has stored since the last version. */
export async function recordVersion(trx: Database, id: string, change: VersionChange): Promise<void> {
  const { before, after, actor, now, beforeAt = now } = change;
  const [last] = await findVersions(trx, id, { count: 1 });
  const number = (last?.number ?? 0) + 1;
  const isUnrecorded = before !== null && (last === undefined || changedFields(last.content, before).length > 0);
  if (isUnrecorded)
    await insertVersion(trx, { poll_id: id, number, content: before, created_at: beforeAt, created_by: null });
  await insertVersion(trx, {
    ...{ poll_id: id, number: isUnrecorded ? number + 1 : number },
    ...{ content: after, created_at: now, created_by: actor },
  });
}

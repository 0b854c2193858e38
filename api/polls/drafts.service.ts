import { randomInt } from 'node:crypto';
import { record } from '#api/events/record.service.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import { lockPollBallot } from '#api/voting/ballots.service.ts';
import { requireOffered } from '#api/voting/protection.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { EditedPoll, PollContent } from './poll-editor.contract.ts';
import type { GonePoll } from '#api/publishing/page-data/page-data.contract.ts';
import type { Poll } from './polls.contract.ts';
import type { ManagedState, Protection } from '#contract/vocabulary.ts';
import { pick } from '#domain/field-changes.ts';
import { changedFields, copyOf, emptyContent, lockedFields, overlappingFields } from '#domain/poll-draft.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import type { Recurrence } from '#domain/recurrence.ts';
import { dayStart } from '#domain/time-zone.ts';
import { nextSlot } from '#domain/weekly-slots.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { isUniqueViolation, readOneState } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import {
  deleteDraft,
  findDeletedPoll,
  findDraft,
  findRecurrence,
  findVersions,
  holdPoll,
  insertDraft,
  updateDraft,
} from './drafts.queries.ts';
import type { Draft } from './drafts.queries.ts';
import { applyChanges, createPoll, hasVotes } from './editing.service.ts';
import type { PollModel } from './poll.model.ts';
import { contentOf, presentPoll, withContent } from './poll.presenter.ts';
import { findPoll, openingsFrom } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';

/** What the use cases of the editor need. */
export interface EditorContext extends PollsContext {
  readonly previews: PreviewLinks;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/** Milliseconds after which saving a draft again is a new entry of the audit log. */
const auditPauseMs = 15 * 60_000;
/** Characters of ids: without vowels and look-alikes, so that they spell nothing. */
const idCharacters = 'bcdfghjkmnpqrstvwxz23456789';
const idLength = 10;

const { drafts: texts } = adminApiTexts;
const states = { open: 'open', upcoming: 'scheduled', closed: 'closed' } as const;

/** The state of a published poll at the moment `now`, in milliseconds. */
export const stateOf = ({ ballot }: PollModel, now: number): ManagedState => states[phaseOf(lifespanOf(ballot), now)];

/** POLL_DELETED for a poll that an operator deleted, else POLL_NOT_FOUND. */
export async function missingPoll(db: Database, id: string): Promise<Error> {
  const deleted = await deletedPoll(db, id);
  return deleted === null ? errors.pollNotFound() : errors.pollDeleted(deleted);
}

/** When and why an operator deleted a poll, and the poll that took its place; null if nobody did. */
export async function deletedPoll(db: Database, id: string): Promise<GonePoll['gone'] | null> {
  const deleted = await findDeletedPoll(db, id);
  return deleted && { at: iso(deleted.deleted_at), reason: deleted.reason, redirectTo: deleted.redirect_to };
}

/** The fields that the draft of a published poll changes, and those of them that can’t be changed any more. */
function changesOf({ base, content }: Draft, poll: PollModel, now: number) {
  const published = contentOf(poll);
  const locked = lockedFields(stateOf(poll, now), hasVotes(poll.ballot));
  const changed = changedFields(base ?? published, content);
  return {
    fields: changed.filter((field) => !locked.includes(field)),
    dropped: changedFields(published, content).filter((field) => changed.includes(field) && locked.includes(field)),
  };
}

/** A draft’s content, with what has been published since it was begun in the fields that it doesn’t change, or can’t. */
function currentContent(draft: Draft | null, poll: PollModel | undefined, now: number): PollContent {
  if (!poll) return draft!.content;
  const published = contentOf(poll);
  return draft === null ? published : { ...published, ...pick(draft.content, changesOf(draft, poll, now).fields) };
}

/** What a draft is compared with: in the fields that it doesn’t change, what has been published since it was begun. */
function currentBase(draft: Draft | null, published: PollContent | null): PollContent | null {
  if (draft === null) return published;
  const { base, content } = draft;
  return base === null || published === null ? base : { ...published, ...pick(base, changedFields(base, content)) };
}

/** A poll, or a draft of one, in the editor. Throws POLL_NOT_FOUND. */
export const editedPoll = (context: EditorContext, id: string): Promise<EditedPoll> =>
  readOneState(context.db, (trx) => editedIn({ ...context, db: trx }, id));

/** {@link editedPoll} in the caller’s transaction. */
export async function editedIn({ db, clock, previews, protections }: EditorContext, id: string): Promise<EditedPoll> {
  const draft = await findDraft(db, id);
  const poll = await findPoll(db, id);
  if (!draft && !poll) throw errors.pollNotFound();
  const published = poll ? contentOf(poll) : null;
  const [newest] = poll ? await findVersions(db, id, { count: 1 }) : [];
  const isNewest = newest && published && changedFields(newest.content, published).length === 0;
  const now = clock.now();
  const content = currentContent(draft, poll, now);
  const repeated = content.series === null ? null : await findRecurrence(db, content.series);
  return {
    id,
    state: poll ? stateOf(poll, now) : 'draft',
    ...{ content, published },
    ...(repeated && {
      recurrence: { ...(JSON.parse(repeated.rule) as Recurrence), newestAt: iso(repeated.newest_at) },
    }),
    dropped: draft && poll ? changesOf(draft, poll, now).dropped : [],
    ...{ version: draft?.version ?? 0, changedAt: isoOrNull(draft?.changed_at ?? null) },
    changedBy: draft?.changed_by ?? null,
    publishedAt: isoOrNull(poll?.updated_at ?? null),
    publishedBy: isNewest ? newest.created_by : null,
    totalVotes: poll?.ballot.total_votes ?? 0,
    hasVotes: poll !== undefined && hasVotes(poll.ballot),
    closedAt: poll ? isoOrNull(closedMoment(lifespanOf(poll.ballot), now)) : null,
    previewToken: previews.issue(id),
    protections: [...protections],
  };
}

/**
 * Creates an empty draft, or one with the texts of another poll or draft, for the next weekly slot, or the first one from a
 * day on, in which no scheduled poll opens.
 * Throws POLL_NOT_FOUND.
 */
export async function createDraft(
  context: EditorContext & { readonly config: Pick<Config, 'timeZone' | 'weeklySlots'> },
  { copyOf: source, from }: BodyOf<'createDraft'>,
  actor: string,
): Promise<EditedPoll> {
  const copied = source === undefined ? emptyContent : copyOf((await editedPoll(context, source)).content);
  const { timeZone, weeklySlots } = context.config;
  const earliest = from === undefined ? 0 : dayStart(from, timeZone);
  const begin = Math.max(context.clock.now(), earliest);
  const slot = nextSlot(weeklySlots, begin, timeZone, await openingsFrom(context.db, begin));
  const content = { ...copied, startsAt: iso(slot.startsAt), endsAt: iso(slot.endsAt) };
  const id = Array.from({ length: idLength }, () => idCharacters[randomInt(idCharacters.length)]).join('');
  await context.db.transaction(async (trx) => {
    const now = context.clock.now();
    const times = { created_at: now, changed_at: now, changed_by: actor };
    await insertDraft(trx, { id, content, base: null, ...times });
    const after = source === undefined ? {} : { copyOf: source };
    await record(trx, { at: now, actor, type: 'draft.create', subject: { kind: 'poll', id }, after });
  });
  return editedPoll(context, id);
}

/**
 * Saves changes of a draft, or begins one of a published poll; fields that are left out stay. A draft that differs in
 * nothing from what is published is deleted. The analysis is safe HTML already. Throws POLL_NOT_FOUND, and CONFLICT when
 * somebody else has saved it since `version`, or has changed what is published since `publishedAt`.
 */
export async function saveDraft(
  context: EditorContext,
  id: string,
  given: BodyOf<'saveDraft'>,
  actor: string,
): Promise<EditedPoll> {
  requireOffered(given.protection, context.protections);
  return context.db
    .transaction(async (trx) => {
      await storeDraft({ ...context, db: trx }, id, given, actor);
      return editedIn({ ...context, db: trx }, id);
    })
    .catch((error: unknown) => {
      // Somebody else has begun a draft at the same time.
      throw isUniqueViolation(error) ? changedMeanwhile(null) : error;
    });
}

async function storeDraft(
  { db: trx, clock }: PollsContext,
  id: string,
  { version, publishedAt, ...changes }: BodyOf<'saveDraft'>,
  actor: string,
): Promise<void> {
  await holdPoll(trx, id);
  const now = clock.now();
  const draft = await findDraft(trx, id);
  const poll = await findPoll(trx, id);
  if (!draft && !poll) throw errors.pollNotFound();
  const isKnown = publishedAt === undefined || publishedAt === isoOrNull(poll?.updated_at ?? null);
  if ((draft?.version ?? 0) !== version || !isKnown) throw changedMeanwhile(draft);
  const published = poll ? contentOf(poll) : null;
  const before = currentContent(draft, poll, now);
  const content = { ...before, ...changes };
  const fields = changedFields(before, content);
  const base = currentBase(draft, published);
  const saved = { id, content, base, changed_at: now, changed_by: actor };
  if (draft === null) {
    if (fields.length === 0) return;
    await insertDraft(trx, { ...saved, created_at: now });
  } else if (base !== null && changedFields(base, content).length === 0) {
    if (!(await deleteDraft(trx, id, version))) throw changedMeanwhile(draft);
  } else if (!(await updateDraft(trx, { ...saved, version }))) throw changedMeanwhile(draft);
  if (draft?.changed_by === actor && now - draft.changed_at < auditPauseMs) return;
  const values = { before: pick(before, fields), after: pick(content, fields) };
  await record(trx, { at: now, actor, type: 'draft.edit', subject: { kind: 'poll', id }, ...values });
}

function changedMeanwhile(draft: Draft | null): Error {
  return errors.conflict(
    draft === null ? texts.changedMeanwhile : texts.changedBy(draft.changed_by, iso(draft.changed_at)),
  );
}

/** Deletes a draft. Throws POLL_NOT_FOUND, and CONFLICT when its version isn’t `version` any more. */
export async function discardDraft(
  { db, clock }: PollsContext,
  id: string,
  version: number | undefined,
  actor: string,
): Promise<void> {
  await db.transaction(async (trx) => {
    await holdPoll(trx, id);
    const draft = await findDraft(trx, id);
    if (draft === null) throw errors.pollNotFound();
    if (!(await deleteDraft(trx, id, version))) throw changedMeanwhile(draft);
    const before = draft.base === null ? draft.content : pick(draft.content, changedFields(draft.base, draft.content));
    const entry = { at: clock.now(), actor, type: 'draft.discard', subject: { kind: 'poll', id }, before } as const;
    await record(trx, entry);
  });
}

/**
 * Publishes a draft: creates its poll, or changes the published one. Throws POLL_NOT_FOUND, VALIDATION_FAILED, and CONFLICT
 * when somebody has saved the draft since `version`, when the published poll has been changed in the same fields since the
 * draft was begun (unless `overwrite`), and like {@link applyChanges}. Changes of locked fields are left out. Returns the
 * poll’s state.
 */
export async function publishDraft(
  { db, clock }: PollsContext,
  id: string,
  { version, overwrite }: BodyOf<'publishDraft'>,
  actor: string,
): Promise<ManagedState> {
  return db.transaction(async (trx) => {
    const now = clock.now();
    await lockPollBallot(trx, id);
    const draft = await findDraft(trx, id);
    const poll = await findPoll(trx, id);
    if (draft === null) throw poll ? errors.conflict(texts.nothingToPublish) : errors.pollNotFound();
    if (!(await deleteDraft(trx, id, version))) throw changedMeanwhile(draft);
    if (!poll) {
      const { startsAt } = await createPoll(trx, id, draft.content, { actor, now });
      return Date.parse(startsAt!) > now ? 'scheduled' : 'open';
    }
    const published = contentOf(poll);
    const base = draft.base ?? published;
    const { fields } = changesOf(draft, poll, now);
    const overlap = overlappingFields(base, draft.content, published).filter((field) => fields.includes(field));
    if (!overwrite && overlap.length > 0)
      throw errors.conflict(
        texts.overlapping,
        overlap.map((field) => ({ field, message: texts.overlapping })),
      );
    await applyChanges(trx, poll, pick(draft.content, fields), { actor, now });
    return stateOf((await findPoll(trx, id))!, now);
  });
}

/** A poll with the changes of its draft, for preview links; a draft looks like a scheduled poll. Throws POLL_NOT_FOUND. */
export async function previewedPoll({ db, clock }: PollsContext, id: string): Promise<Poll> {
  const read = async (trx: Database) => [await findDraft(trx, id), await findPoll(trx, id)] as const;
  const [draft, model] = await readOneState(db, read);
  const now = clock.now();
  if (model) {
    const poll = presentPoll(model, now);
    return draft === null ? poll : withContent(poll, currentContent(draft, model, now), texts.untitled);
  }
  if (draft === null) throw await missingPoll(db, id);
  // Nobody can vote before the start, and a draft without dates has none yet.
  const soon = iso(now + 86_400_000);
  const { changed_at, created_at, content } = draft;
  const poll: Poll = {
    ...{ id, question: '', description: '', options: [], totalVotes: 0, isActive: true, category: null, tags: [] },
    ...{ createdAt: iso(created_at), updatedAt: iso(changed_at), startsAt: soon, endsAt: soon, closedAt: null },
    ...{ author: null, hasVoted: false, userVote: null, summary: null, analysis: null, methodologyNotes: null },
    countryBreakdown: [],
  };
  const options = content.options.filter(({ text }) => text !== '');
  return withContent(poll, { ...content, options }, texts.untitled);
}

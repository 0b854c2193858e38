import { record } from '#api/events/record.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { EditedPoll, PollContent } from './poll-editor.contract.ts';
import { isTimeZone } from '#contract/schedule.ts';
import { copyOf } from '#domain/poll-draft.ts';
import { nextWave } from '#domain/recurrence.ts';
import type { Recurrence } from '#domain/recurrence.ts';
import { localDayOf } from '#domain/time-zone.ts';
import { topicSlug } from '#domain/topics.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { findDeletedPoll, findDraft, findRecurrence, insertDraft } from './drafts.queries.ts';
import { editedIn } from './drafts.service.ts';
import type { EditorContext } from './drafts.service.ts';
import { findPoll } from './polls.queries.ts';

const { recurrence: texts } = adminApiTexts;
const refused = (field: string, message: string) => errors.validationFailed([{ field, message }]);

/**
 * Repeats the series of a poll from that poll on, with its texts, or stops that. The next wave begins as a draft at once. Throws
 * POLL_NOT_FOUND, and VALIDATION_FAILED for a poll without a series or times, and for a rule without a wave.
 */
export async function setRecurrence(
  context: EditorContext,
  id: string,
  { rule }: BodyOf<'setRecurrence'>,
  actor: string,
): Promise<EditedPoll> {
  return context.db.transaction(async (trx) => {
    const { content } = await editedIn({ ...context, db: trx }, id);
    if (rule !== null && !isTimeZone(rule.timeZone)) throw refused('rule.timeZone', texts.noZone);
    const { series, startsAt, endsAt } = content;
    if (series === null) throw refused('series', texts.needsSeries);
    const before = await findRecurrence(trx, series);
    if (rule === null) await trx('recurrences').where({ series }).del();
    else {
      if (startsAt === null || endsAt === null || Date.parse(endsAt) <= Date.parse(startsAt))
        throw refused('startsAt', texts.needsTimes);
      const text = { content: JSON.stringify(copyOf(content)), rule: JSON.stringify(rule) };
      const row = { series, ...text, newest_at: Date.parse(startsAt), changed_by: actor };
      await trx('recurrences').insert(row).onConflict('series').merge();
      if (!(await beginWave(trx, row, context.clock.now()))) throw refused('rule.until', texts.noPoll);
    }
    const changes = { before: before && (JSON.parse(before.rule) as Recurrence), after: rule };
    const at = context.clock.now();
    await record(trx, { at, actor, type: 'draft.repeat', subject: { kind: 'poll', id }, ...changes });
    return editedIn({ ...context, db: trx }, id);
  });
}

/**
 * Begins the next wave of each series whose newest one has opened, as a draft; a series without a further one is repeated no
 * more. Of several processes, one begins a wave.
 */
export async function beginWaves({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const now = clock.now();
  const due = await db('recurrences').where('newest_at', '<=', now).orderBy('series');
  for (const row of due)
    await db.transaction(async (trx) => {
      if (!(await beginWave(trx, row, now)))
        await trx('recurrences').where({ series: row.series, newest_at: row.newest_at }).del();
    });
}

/** Begins the wave after the newest one, unless another process has; false if there is none. Its draft’s id is of its day. */
async function beginWave(trx: Database, row: Row<'recurrences'>, now: number): Promise<boolean> {
  const { series, newest_at, changed_by } = row;
  const content = JSON.parse(row.content) as PollContent;
  const rule = JSON.parse(row.rule) as Recurrence;
  const first = { startsAt: Date.parse(content.startsAt!), endsAt: Date.parse(content.endsAt!) };
  const wave = nextWave(first, rule, Math.max(now, newest_at));
  if (wave === null) return false;
  const moved = await trx('recurrences').where({ series, newest_at }).update({ newest_at: wave.startsAt });
  const slug = topicSlug(series)
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/^-+/, '');
  const id = `${slug.slice(0, 60) || 'poll'}-${localDayOf(wave.startsAt, rule.timeZone)}`;
  // The wave may be there from before the rule was changed, or deleted.
  const found = (await findDraft(trx, id)) ?? (await findPoll(trx, id)) ?? (await findDeletedPoll(trx, id));
  if (moved === 0 || found != null) return true;
  const times = { startsAt: iso(wave.startsAt), endsAt: iso(wave.endsAt) };
  const draft = { id, content: { ...content, ...times }, base: null, created_at: now, changed_at: now };
  await insertDraft(trx, { ...draft, changed_by });
  const after = { series, ...times };
  await record(trx, { at: now, actor: changed_by, type: 'draft.create', subject: { kind: 'poll', id }, after });
  return true;
}

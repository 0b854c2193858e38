import type { PollTexts } from '#contract/managed-poll.ts';
import { pollTextsFindings } from '#domain/poll-texts.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { countArchive } from './archive.service.ts';
import { holdPoll, optionTexts, textsOf, touchPoll, writeBallot, writeOptionText } from './managing.queries.ts';
import type { HeldPoll, TextColumns } from './managing.queries.ts';
import type { PollsContext } from './polls.service.ts';

const { managing } = adminApiTexts;

/**
 * Changes texts of a poll; what is left out stays. The analysis has been made safe. False when everything was so already.
 * Throws POLL_NOT_FOUND, VALIDATION_FAILED, and CONFLICT for new texts of options when the poll has votes.
 */
export async function editPoll({ db, clock }: PollsContext, id: string, texts: PollTexts): Promise<boolean> {
  const findings = pollTextsFindings(texts);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  return db.transaction(async (trx) => {
    const held = await holdPoll(trx, id);
    if (!held) throw errors.pollNotFound();
    const changes = changesOf(texts, await textsOf(trx, id));
    const isMoved = texts.category !== undefined && orNull(texts.category) !== held.category;
    const isReworded = await rewordOptions(trx, id, held, texts.options ?? []);
    if (Object.keys(changes).length === 0 && !isMoved && !isReworded) return false;

    await touchPoll(trx, id, clock.now(), changes);
    if (isMoved) await writeBallot(trx, id, { category: orNull(texts.category) });
    if (isMoved && held.closed_at !== null) {
      const moves = new Map([[held.category ?? '', -1]]);
      moves.set(texts.category ?? '', 1);
      await countArchive(trx, moves);
    }
    await requestBuild(trx, clock, managing.buildReasons.edited);
    return true;
  });
}

/** An empty text clears what may be empty. */
function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function changesOf(texts: PollTexts, stored: TextColumns): Partial<TextColumns> {
  const { question, description, tags, author, summary, analysis, methodologyNotes } = texts;
  const wanted: Partial<TextColumns> = {
    ...(question !== undefined && { question }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: JSON.stringify([...new Set(tags)]) }),
    ...(author !== undefined && { author: orNull(author) }),
    ...(summary !== undefined && { summary: orNull(summary) }),
    ...(analysis !== undefined && { analysis: orNull(analysis) }),
    ...(methodologyNotes !== undefined && { methodology_notes: orNull(methodologyNotes) }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([column, value]) => stored[column as keyof TextColumns] !== value),
  );
}

/** Nobody's vote may come to stand for other words, so options change as long as there is no vote at all. */
async function rewordOptions(
  trx: Database,
  id: string,
  { total_votes }: HeldPoll,
  options: NonNullable<PollTexts['options']>,
): Promise<boolean> {
  if (options.length === 0) return false;
  const stored = new Map((await optionTexts(trx, id)).map(({ option_id, text }) => [option_id, text]));
  const reworded = options.filter((option) => stored.get(option.id) !== option.text);
  if (reworded.some((option) => !stored.has(option.id))) throw errors.conflict(managing.noSuchOption);
  if (reworded.length > 0 && total_votes > 0) throw errors.conflict(managing.optionsStand);
  for (const option of reworded) await writeOptionText(trx, id, option.id, option.text);
  return reworded.length > 0;
}

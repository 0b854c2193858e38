import { setTimeout as pause } from 'node:timers/promises';
import type { ImportRecord } from '#contract/poll-import.ts';
import type { ManagedPolls, PollTexts } from '#contract/managed-poll.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import { countDemonstration } from './demonstration.service.ts';
import { importRecord } from '#api/poll-import/import-history.service.ts';
import { makeHtmlSafe } from '#api/poll-import/poll-import.service.ts';
import { undoImport } from '#api/poll-import/undo.service.ts';
import { editPoll } from '#api/polls/editing.service.ts';
import { managedPage } from '#api/polls/managing.service.ts';
import type { OperationContext } from './operation.service.ts';

/** Takes the last import back; answers how it stands after some seconds at the latest, and goes on. */
export async function takeBack(
  context: OperationContext,
  id: number,
  options: { readonly discardEdits?: boolean },
): Promise<ImportRecord> {
  const enough = new AbortController();
  const undone = undoImport(context, id, options).finally(() => enough.abort());
  // What fails later than the answer is seen in the history: the undo has not come to its end, and can be asked for again.
  undone.catch(() => undefined);
  const patience = pause(undoAnswerMs, undefined, { signal: enough.signal, ref: false }).catch(() => undefined);
  await Promise.race([undone, patience]);
  return importRecord(context.db, id);
}

/** One page of polls, and how many there are that came with the software. */
export async function listPolls(
  context: OperationContext,
  query: { page?: number; state?: ManagedState; search?: string },
): Promise<ManagedPolls> {
  const { page = 1, state, search } = query;
  const found = await managedPage(context, { page, state, search });
  return { ...found, demonstration: await countDemonstration(context.db) };
}

/** Changes texts of a poll; HTML that is not allowed is taken out of the analysis, and named. */
export async function changeTexts(
  context: OperationContext,
  id: string,
  texts: PollTexts,
): Promise<{ changed: boolean; removed: string[] }> {
  const { html, removed } = makeHtmlSafe(texts.analysis ?? '');
  const safe = texts.analysis === undefined ? texts : { ...texts, analysis: html };
  return { changed: await editPoll(context, id, safe), removed };
}

export { removeDemonstration } from './demonstration.service.ts';
export { importHistory } from '#api/poll-import/import-history.service.ts';
export { previewUndo } from '#api/poll-import/undo.service.ts';
export { closePoll, reopenPoll } from '#api/polls/managing.service.ts';

/** Milliseconds after which an undo is answered although it continues. */
const undoAnswerMs = 8_000;

import type { ImportField, ImportSettings } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { importLimits } from './poll-import.contract.ts';
import { importFileTexts, importNotes } from '#texts/poll-import.ts';
import { AnswerCounter } from './answer-counts.ts';
import { assignedHeader } from './csv-file.ts';
import type { FileRecord } from './csv-file.ts';
import { parseDate } from './import-dates.ts';
import { fileRecords } from './import-file.ts';
import { refuse } from './import-problem.ts';
import { withIds } from './poll-row.ts';

/** The columns of the one row that a file with a row per person becomes. */
const columns = ['question', 'options', 'starts_at', 'ends_at', 'methodology_notes'] as const satisfies ImportField[];
const minuteMs = 60_000;

const isResponses = (settings: ImportSettings | null) => settings?.columns.includes('response') === true;

/** The settings with which what {@link pollRecords} yields is read. */
export const pollSettings = (settings: ImportSettings): ImportSettings =>
  isResponses(settings) ? { ...settings, columns: [...columns] } : settings;

/**
 * The records of a file of polls, in batches; of a file with a row per person who answered, a header and the poll of its
 * counted answers. Throws a `FileRefused`, also for a row that can’t be read: without it, the counts would be wrong.
 */
export async function* pollRecords(
  source: AsyncIterable<Uint8Array>,
  settings: ImportSettings | null,
  options: Parameters<typeof fileRecords>[2] = {},
): AsyncGenerator<FileRecord[]> {
  const records = fileRecords(source, settings, options);
  if (settings !== null && isResponses(settings)) yield await counted(records, settings);
  else yield* records;
}

async function counted(batches: AsyncIterable<FileRecord[]>, settings: ImportSettings): Promise<FileRecord[]> {
  const { dateFormat = 'iso', timeZone, answers = null, fixed = {} } = settings;
  const counter = new AnswerCounter(answers, importNotes.other);
  const times: number[] = [];
  let header: ReturnType<typeof assignedHeader> | undefined;
  let first = 1;
  let rows = 0;
  for await (const records of batches)
    for (const { line, fields, text } of records) {
      if (header === undefined) {
        header = assignedHeader({ line, fields, ...(text !== undefined && { text }) }, settings);
        first = line;
        continue;
      }
      if ((rows += 1) > limits.importRows)
        throw refuse('too_many_rows', importFileTexts.too_many_rows(limits.importRows));
      const wrong = (value?: string) =>
        refuse('unreadable_response', importFileTexts.unreadable_response(line), { line, ...(value && { value }) });
      if (fields?.length !== header.width) throw wrong();
      const column = header.labels?.get('response');
      if (!counter.add(fields[header.positions.get('response')!]!))
        throw refuse('too_many_answers', importFileTexts.too_many_answers, column ? { column } : {});
      const at = header.positions.get('answered_at');
      // Forms of Google add the zone to the time.
      const when = at === undefined ? '' : fields[at]!.trim().replace(/ (?:GMT|UTC|[A-Z]{3,4})(?:[+-][\d:]+)?$/, '');
      if (when === '') continue;
      const answered = parseDate(when, { dateFormat, timeZone });
      if (answered === null || answered === 'skipped') throw wrong(when);
      times[0] = Math.min(times[0] ?? answered.at, answered.at);
      times[1] = Math.max(times[1] ?? answered.at, answered.at);
    }
  if (header === undefined || rows === 0) throw refuse('no_rows', importFileTexts.no_rows);
  const found = counter.result();
  if (found.length > importLimits.options) throw refuse('too_many_answers', importFileTexts.too_many_answers);
  const ids = withIds(found.map(({ text }) => text));
  const options = found.map(({ votes }, place) => ({ ...ids[place]!, votes }));
  const moment = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString());
  const [from, to] = times;
  const poll = [
    fixed.question ?? header.labels?.get('response') ?? '',
    JSON.stringify(options),
    fixed.starts_at ?? moment(from && Math.floor(from / minuteMs) * minuteMs),
    fixed.ends_at ?? moment(to && (Math.floor(to / minuteMs) + 1) * minuteMs),
    counter.hasSeveral ? importNotes.several(counter.people) : importNotes.counted(counter.people),
  ];
  return [
    { line: first, fields: columns },
    { line: first, fields: poll },
  ];
}

import { importColumns } from '#api/polls/import/poll-import.contract.ts';
import type { ImportColumn } from '#api/polls/import/poll-import.contract.ts';
import { templatePoll } from '#texts/admin.ts';
import { csvLine } from './csv.ts';

/** Days that the example poll is open. */
const openDays = 7;

/** The template for poll imports: a CSV file with all columns and an example poll that is open for a week from `now`. */
export function pollsTemplate(now: number): string {
  const start = new Date(Math.floor(now / 86_400_000) * 86_400_000);
  const end = new Date(start.getTime() + openDays * 86_400_000);
  const seconds = (moment: Date) => moment.toISOString().replace('.000', '');
  const { options, tags, ...texts } = templatePoll;
  const row: Partial<Record<ImportColumn, string>> = {
    ...texts,
    options: JSON.stringify(options.map((text, index) => ({ id: `option-${index + 1}`, text, votes: 0 }))),
    is_active: 'true',
    created_at: seconds(start),
    starts_at: seconds(start),
    ends_at: seconds(end),
    total_votes: '0',
    tags: JSON.stringify(tags),
  };
  return [importColumns, importColumns.map((column) => row[column] ?? '')].map((fields) => csvLine(fields)).join('');
}

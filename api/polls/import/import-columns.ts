import { importFields } from '#contract/import-settings.ts';
import type { ImportField, ImportSettings } from '#contract/import-settings.ts';

/** Fields with dates. */
export const dateFields = ['created_at', 'starts_at', 'ends_at', 'closed_at', 'updated_at'] as const;

/** Whether a field is read as the value of a cell of a workbook, not as the text that the cell shows. */
export const isValueField = (field: ImportField | null) =>
  field === 'total_votes' || dateFields.some((date) => date === field);

/** Names that columns of spreadsheets have instead of ours; all are only proposed, and the operator can change them. */
const otherNames: Partial<Record<ImportField, readonly string[]>> = {
  id: ['poll_id', 'slug'],
  question: ['title', 'headline', 'poll', 'poll_question'],
  description: ['details', 'introduction', 'intro', 'context'],
  options: ['answers', 'choices', 'answer_options'],
  is_active: ['active'],
  created_at: ['created'],
  starts_at: ['start', 'starts', 'start_date', 'start_time', 'opens', 'opens_at', 'open_date', 'publish_date', 'from'],
  ends_at: ['end', 'ends', 'end_date', 'end_time', 'closes', 'closes_at', 'close_date', 'deadline', 'until', 'to'],
  total_votes: ['votes'],
  methodology_notes: ['methodology'],
  author: ['by', 'byline', 'editor'],
  category: ['section', 'topic'],
  tags: ['keywords', 'labels'],
  closed_at: ['closed'],
  updated_at: ['updated'],
};

const fieldOf = new Map<string, ImportField>([
  ...Object.entries(otherNames).flatMap(([field, names]) => names.map((name) => [name, field as ImportField] as const)),
  ...importFields.map((field) => [field, field] as const),
]);

/** Columns that exports of forms and surveys start with, in the languages of the largest services. */
const responseColumns =
  /^(?:timestamp|zeitstempel|horodateur|marca_temporal|carimbo_de_data_hora|submitted(?:_at|_on)?|submission_(?:id|date|time)|submit_date|submitted_date|completion_time|recorded_date|responded_at|respond[ea]nt(?:_id)?|response_id|participant(?:_id)?|collector_id|ip_address|network_id|user_agent)\b/;

/**
 * Whether a file seems to have a row per person who answered, such as an export of a form: with questions as the names of
 * columns, and without columns for a question and options.
 */
export function seemsPerPerson(names: readonly string[]): boolean {
  const columns = proposedColumns(names);
  if (columns.includes('question') || columns.includes('options') || columns.includes('option_1')) return false;
  return names.some((name) => isQuestion(name.trim()) || responseColumns.test(keyOf(name)));
}

/** Whether a name ends like a question, also before what a form adds in brackets. */
function isQuestion(name: string): boolean {
  const bare = name.endsWith(']') ? name.slice(0, Math.max(0, name.lastIndexOf('['))).trimEnd() : name;
  return /[?？؟]$/.test(bare);
}

const keyOf = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');

/** What the columns with these names are probably read as; each field at most once. */
export function proposedColumns(names: readonly string[]): ImportSettings['columns'] {
  const keys = names.map((name) => {
    const key = keyOf(name);
    return key.replace(/^(?:answer|choice|option)_?(\d+)$/, 'option_$1');
  });
  const taken = new Set<ImportField>(importFields.filter((field) => keys.includes(field)));
  const used = new Set<ImportField>();
  return keys.map((key) => {
    const field = fieldOf.get(key);
    if (field === undefined || used.has(field)) return null;
    // A column that has exactly the field’s name comes first.
    if (key !== field && taken.has(field)) return null;
    used.add(field);
    return field;
  });
}

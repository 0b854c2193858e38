import { importFields } from '#contract/import-settings.ts';
import type { ImportField, ImportSettings } from '#contract/import-settings.ts';

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

/** What the columns with these names are probably read as; each field at most once. */
export function proposedColumns(names: readonly string[]): ImportSettings['columns'] {
  const keys = names.map((name) => {
    const key = name
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_');
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

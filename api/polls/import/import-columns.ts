import { answerFields, importFields } from './import-settings.contract.ts';
import type { FileShape, ImportField, ImportSettings } from './import-settings.contract.ts';
import { readNumber } from './answer-counts.ts';

/** Fields with dates. */
export const dateFields = ['created_at', 'starts_at', 'ends_at', 'closed_at', 'updated_at', 'answered_at'] as const;

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
  starts_at: [
    'start',
    'starts',
    'start_date',
    'start_time',
    'opens',
    'opens_at',
    'open_date',
    'publish_date',
    'startdate',
    'field_start',
    'date',
    'from',
  ],
  ends_at: [
    'end',
    'ends',
    'end_date',
    'end_time',
    'closes',
    'closes_at',
    'close_date',
    'deadline',
    'enddate',
    'field_end',
    'until',
    'to',
  ],
  total_votes: ['votes', 'total'],
  methodology_notes: ['methodology'],
  author: ['by', 'byline', 'editor'],
  category: ['section', 'topic'],
  tags: ['keywords', 'labels'],
  closed_at: ['closed'],
  updated_at: ['updated'],
  base: ['n', 'sample_size', 'samplesize', 'respondents', 'interviews', 'people_asked'],
  source: ['pollster', 'organization'],
  field_dates: ['fieldwork', 'field_period', 'dates'],
  mode: ['survey_mode'],
  sponsor: ['client', 'funded_by'],
  link: ['url', 'source_url'],
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
  const columns = namedColumns(names);
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

/** When people answered, among {@link responseColumns}. */
const answeredColumns = /stamp|stempel|horodateur|marca|date|time|_at\b|_on\b|data/;
const answerNames = /^(?:answers?|options?|choices?|responses?|candidates?|antwort(?:en)?)$/;
const resultNames = /^(?:votes?|counts?|percent(?:age)?|share|total|responses|anzahl|stimmen|)$/;

/** What a file with these columns seems to be. */
export function shapeOf(names: readonly string[], columns: ImportSettings['columns']): FileShape {
  if (columns.includes('response') || seemsPerPerson(names)) return 'responses';
  if (answerFields.some((field) => columns.includes(field))) return 'results';
  if (columns.includes('question') || columns.includes('options') || columns.includes('option_1')) return 'polls';
  const keys = names.map(keyOf);
  const isPerAnswer = keys.some((key) => answerNames.test(key)) && keys.some((key) => resultNames.test(key));
  return isPerAnswer ? 'row-per-answer' : 'other';
}

/**
 * What the columns of a file are probably read as, by their names and first rows. Columns of numbers without another meaning
 * are answers with their results; of which column people’s answers are counted is never guessed.
 */
export function proposedColumns(
  names: readonly string[],
  rows: readonly { readonly fields: readonly string[] | null }[],
): ImportSettings['columns'] {
  if (seemsPerPerson(names)) {
    const keys = names.map(keyOf);
    const answered = keys.findIndex((key) => responseColumns.test(key) && answeredColumns.test(key));
    return names.map((_, index) => (index === answered ? 'answered_at' : null));
  }
  const columns = namedColumns(names);
  if (columns.some((field) => field === 'options' || field?.startsWith('option_'))) return columns;
  const valuesAt = (index: number) => rows.map(({ fields }) => fields?.[index]?.trim() ?? '');
  const isResult = (index: number) => {
    const values = valuesAt(index).filter((value) => value !== '');
    return values.length > 0 && values.every((value) => readNumber(value, true) ?? readNumber(value, false) !== null);
  };
  const answers = columns.flatMap((field, index) =>
    field === null && names[index]!.trim() !== '' && isResult(index) ? [index] : [],
  );
  if (answers.length < 2) return columns;
  const base = columns.indexOf('base');
  const isPercent =
    answers.some((index) => valuesAt(index).some((value) => value.endsWith('%'))) ||
    (base !== -1 &&
      rows.every(({ fields }) => {
        const shares = answers.map((index) => readNumber(fields?.[index] ?? '', true) ?? 0);
        const sum = shares.reduce((total, share) => total + share, 0);
        return sum <= 100 + shares.length && sum !== Number(fields?.[base]);
      }));
  return columns.map((field, index) =>
    answers.includes(index) ? (isPercent ? 'answer_percent' : 'answer_votes') : field,
  );
}

/** What the columns with these names are probably read as; each field at most once. */
export function namedColumns(names: readonly string[]): ImportSettings['columns'] {
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

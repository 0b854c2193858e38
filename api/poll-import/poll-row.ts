import * as limits from '#contract/limits.ts';
import type { ImportColumn, ImportError, ImportRowCode, ImportWarning } from '#contract/poll-import.ts';
import type { CountryShare, PollOption } from '#contract/poll.ts';
import { allCategories, pollIdPattern, reservedPollIds } from '#contract/vocabulary.ts';
import { isStorablePollText } from '#domain/poll-texts.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { importRowTexts, importWarningTexts } from '#texts/poll-import.ts';
import type { ImportHeader } from './csv-file.ts';
import { rowError, warning } from './import-problem.ts';
import { makeHtmlSafe } from './safe-html.ts';
import { importLimits } from '#contract/poll-import.ts';

/**
 * A validated poll of a file. Times are milliseconds since 1970 UTC. A text or list whose column is missing is
 * undefined and stays as stored; null or empty clears it.
 */
export interface StatedPoll {
  readonly line: number;
  readonly id: string;
  readonly question: string;
  readonly description: string;
  readonly options: readonly PollOption[];
  readonly isActive: boolean;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly closedAt: number | null;
  readonly updatedAt: number | null;
  readonly category?: string | null;
  readonly tags?: readonly string[];
  readonly series?: string | null;
  readonly publishBallots?: boolean;
  readonly author?: string | null;
  readonly summary?: string | null;
  readonly analysis?: string | null;
  readonly methodologyNotes?: string | null;
  readonly countryBreakdown?: readonly CountryShare[];
}

/** A parsed row: the poll, or all its errors; null for a row of empty fields. */
export type ReadRow =
  | { readonly poll: StatedPoll; readonly warnings: readonly ImportWarning[] }
  | { readonly errors: readonly ImportError[] }
  | null;

/** Parses one row. `seen` maps ids to the lines of earlier rows, and this row’s is added. */
export function readRow(
  line: number,
  fields: readonly string[] | null,
  header: ImportHeader,
  seen: Map<string, number>,
  now: number,
): ReadRow {
  if (!fields) return { errors: [rowError(line, null, null, 'csv_syntax', importRowTexts.csv_syntax)] };
  // Spreadsheets write rows of only commas after deleted rows.
  if (fields.every(isBlank)) return null;
  if (fields.length !== header.width) {
    const reason = importRowTexts.column_count(fields.length, header.width);
    return { errors: [rowError(line, null, fields[0] ?? null, 'column_count', reason)] };
  }

  const row = new RowReader(line, fields, header);
  const id = row.id(seen);
  const question = row.requiredText('question', importLimits.question);
  const description = row.requiredText('description', importLimits.description);
  const options = row.options();
  const isActive = row.requiredFlag('is_active');
  const createdAt = row.requiredMoment('created_at');
  const startsAt = row.requiredMoment('starts_at');
  const endsAt = row.requiredMoment('ends_at');
  const closedAt = row.moment('closed_at');
  const updatedAt = row.moment('updated_at');
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    row.wrong('ends_at', 'ends_before_start', importRowTexts.ends_before_start);
  if (startsAt !== null && closedAt !== null && closedAt < startsAt)
    row.wrong('closed_at', 'closed_before_start', importRowTexts.closed_before_start);
  if (closedAt !== null && closedAt > now) row.wrong('closed_at', 'closed_in_future', importRowTexts.closed_in_future);
  row.checkTotal(options);
  // It would publish a report of a poll that has not started.
  if (isActive === false && startsAt !== null && startsAt > now)
    row.wrong('is_active', 'inactive_before_start', importRowTexts.inactive_before_start);
  const category = row.text('category', limits.importShortText);
  if (category?.toLowerCase() === allCategories)
    row.wrong('category', 'reserved_category', importRowTexts.reserved_category);
  const rest = {
    category,
    tags: row.tags(),
    series: row.text('series', limits.importShortText),
    publishBallots: row.flag('publish_ballots'),
    author: row.text('author', limits.importShortText),
    summary: row.text('summary', importLimits.summary),
    methodologyNotes: row.text('methodology_notes', importLimits.methodology),
    countryBreakdown: row.countries(),
  };
  const givenAnalysis = row.text('analysis', importLimits.analysis);
  if (
    row.errors.length > 0 ||
    id === null ||
    question === null ||
    description === null ||
    options === null ||
    isActive === null ||
    createdAt === null ||
    startsAt === null ||
    endsAt === null
  )
    return { errors: row.errors };

  const { analysis, warnings } = safeAnalysis(line, givenAnalysis);
  return {
    poll: {
      ...{ line, id, question, description, options, isActive, createdAt, startsAt, endsAt, closedAt, updatedAt },
      ...rest,
      analysis,
    },
    warnings,
  };
}

function safeAnalysis(line: number, given: string | null | undefined) {
  if (!given) return { analysis: given, warnings: [] };
  const { html, removed } = makeHtmlSafe(given);
  return {
    analysis: html === '' ? null : html,
    warnings: removed.map((part) =>
      warning(line, 'analysis', part, 'unsafe_html_removed', importWarningTexts.unsafe_html_removed),
    ),
  };
}

const idForm = new RegExp(pollIdPattern);
const reservedIds: readonly string[] = reservedPollIds;
const yes = ['true', '1', 'yes'];
const no = ['false', '0', 'no'];

/** Parses the values of one row and collects its errors. Null: invalid or empty; undefined: no such column. */
class RowReader {
  readonly errors: ImportError[] = [];
  readonly #line: number;
  readonly #fields: readonly string[];
  readonly #header: ImportHeader;

  constructor(line: number, fields: readonly string[], header: ImportHeader) {
    this.#line = line;
    this.#fields = fields;
    this.#header = header;
  }

  wrong(column: ImportColumn, code: ImportRowCode, reason: string): null {
    this.errors.push(rowError(this.#line, column, this.#field(column) ?? null, code, reason));
    return null;
  }

  id(seen: Map<string, number>): string | null {
    const id = this.#required('id');
    if (id === null) return null;
    if (!idForm.test(id)) return this.wrong('id', 'invalid_id', importRowTexts.invalid_id);
    if (reservedIds.includes(id.toLowerCase())) return this.wrong('id', 'reserved_id', importRowTexts.reserved_id);
    const first = seen.get(id);
    if (first !== undefined) return this.wrong('id', 'duplicate_id', importRowTexts.duplicate_id(first));
    seen.set(id, this.#line);
    return id;
  }

  requiredText(column: ImportColumn, most: number): string | null {
    const text = this.text(column, most);
    // Both empty and invalid texts are null; only an empty one still has to be reported.
    if (text === null && this.#text(column) === '') this.#required(column);
    return text ?? null;
  }

  text(column: ImportColumn, most: number): string | null | undefined {
    const field = this.#text(column);
    if (field === undefined || field === '') return field === '' ? null : undefined;
    const text = field.replace(/\r\n?/g, '\n');
    if (text.length > most) return this.wrong(column, 'too_long', importRowTexts.too_long(most));
    if (!isStorablePollText(text)) return this.wrong(column, 'invalid_text', importRowTexts.invalid_text);
    return text;
  }

  requiredFlag(column: ImportColumn): boolean | null {
    return this.#required(column) === null ? null : (this.flag(column) ?? null);
  }

  flag(column: ImportColumn): boolean | undefined {
    const word = this.#text(column)?.toLowerCase() ?? '';
    if (yes.includes(word)) return true;
    if (word !== '' && !no.includes(word)) this.wrong(column, 'invalid_boolean', importRowTexts.invalid_boolean);
    return word === '' ? undefined : false;
  }

  requiredMoment(column: ImportColumn): number | null {
    return this.#required(column) === null ? null : this.moment(column);
  }

  moment(column: ImportColumn): number | null {
    const text = this.#text(column) ?? '';
    if (text === '') return null;
    return parseIsoDate(text) ?? this.wrong(column, 'invalid_date', importRowTexts.invalid_date);
  }

  options(): PollOption[] | null {
    const refuse = (code: ImportRowCode, reason: string) => this.wrong('options', code, reason);
    if (this.#required('options') === null) return null;
    const list = this.#json('options');
    if (list === undefined) return null;
    if (!Array.isArray(list)) return refuse('invalid_options', importRowTexts.invalid_options);
    if (list.length > importLimits.options) return refuse('too_long', importRowTexts.too_many(importLimits.options));

    const options: PollOption[] = [];
    const ids = new Set<string>();
    let total = 0;
    for (const [index, entry] of list.entries()) {
      const { id, text, votes } = Object(entry) as Readonly<Record<string, unknown>>;
      if (typeof votes === 'number' && votes < 0)
        return refuse('negative_votes', importRowTexts.negative_votes(index + 1));
      if (typeof id !== 'string' || typeof text !== 'string' || !Number.isSafeInteger(votes))
        return refuse('invalid_options', importRowTexts.invalid_option(index + 1));
      const option = { id: id.trim(), text: trimText(text).replace(/\r\n?/g, '\n'), votes: Number(votes) };
      if (option.id === '' || option.text === '')
        return refuse('invalid_options', importRowTexts.invalid_option(index + 1));
      if (option.id.length > importLimits.optionId)
        return refuse('too_long', importRowTexts.too_long(importLimits.optionId));
      if (option.text.length > importLimits.optionText)
        return refuse('too_long', importRowTexts.too_long(importLimits.optionText));
      if (!isStorablePollText(option.id) || !isStorablePollText(option.text))
        return refuse('invalid_text', importRowTexts.invalid_text);
      if (ids.has(option.id)) return refuse('duplicate_option_id', importRowTexts.duplicate_option_id(option.id));
      ids.add(option.id);
      total += option.votes;
      if (total > importLimits.votes)
        return refuse('invalid_options', importRowTexts.too_many_votes(importLimits.votes));
      options.push(option);
    }
    return options.length < importLimits.optionsMin
      ? refuse('too_few_options', importRowTexts.too_few_options)
      : options;
  }

  /** total_votes is redundant; if given, it must match the options. */
  checkTotal(options: readonly PollOption[] | null): void {
    const text = this.#text('total_votes') ?? '';
    if (text === '') return;
    const sum = options?.reduce((votes, option) => votes + option.votes, 0);
    if (!/^\d{1,15}$/.test(text)) this.wrong('total_votes', 'invalid_number', importRowTexts.invalid_number);
    else if (sum !== undefined && Number(text) !== sum)
      this.wrong('total_votes', 'total_votes_mismatch', importRowTexts.total_votes_mismatch(sum));
  }

  tags(): string[] | undefined {
    const text = this.#text('tags');
    if (text === undefined) return undefined;
    const list: unknown = text.startsWith('[') ? this.#json('tags') : text.startsWith('{') ? null : text.split(',');
    if (list === undefined) return undefined;
    if (!Array.isArray(list) || !list.every((tag) => typeof tag === 'string')) {
      this.wrong('tags', 'invalid_tags', importRowTexts.invalid_tags);
      return undefined;
    }
    const tags = [...new Set(list.map(trimText).filter((tag) => tag !== ''))];
    if (tags.length > importLimits.tags) this.wrong('tags', 'too_long', importRowTexts.too_many(importLimits.tags));
    else if (tags.some((tag) => tag.length > limits.importShortText))
      this.wrong('tags', 'too_long', importRowTexts.too_long(limits.importShortText));
    else if (!tags.every(isStorablePollText)) this.wrong('tags', 'invalid_text', importRowTexts.invalid_text);
    return tags;
  }

  countries(): CountryShare[] | undefined {
    const column = 'country_breakdown';
    const text = this.#text(column);
    if (text === undefined) return undefined;
    const list = text === '' ? [] : this.#json(column);
    if (list === undefined) return undefined;
    const refuse = (code: ImportRowCode, reason: string) => void this.wrong(column, code, reason);
    if (!Array.isArray(list)) {
      refuse('invalid_country_breakdown', importRowTexts.invalid_country_breakdown);
      return undefined;
    }
    if (list.length > importLimits.countries) {
      refuse('too_long', importRowTexts.too_many(importLimits.countries));
      return undefined;
    }
    const countries: CountryShare[] = [];
    for (const entry of list) {
      const { name, percentage } = Object(entry) as Readonly<Record<string, unknown>>;
      const isShare = typeof percentage === 'number' && percentage >= 0 && percentage <= 100;
      if (typeof name !== 'string' || isBlank(name) || !isShare) {
        refuse('invalid_country_breakdown', importRowTexts.invalid_country_breakdown);
        return undefined;
      }
      if (trimText(name).length > limits.importShortText) {
        refuse('too_long', importRowTexts.too_long(limits.importShortText));
        return undefined;
      }
      if (!isStorablePollText(name)) {
        refuse('invalid_text', importRowTexts.invalid_text);
        return undefined;
      }
      countries.push({ name: trimText(name), percentage });
    }
    return countries;
  }

  #field(column: ImportColumn): string | undefined {
    const position = this.#header.positions.get(column);
    return position === undefined ? undefined : this.#fields[position];
  }

  #text(column: ImportColumn): string | undefined {
    const field = this.#field(column);
    return field === undefined ? undefined : trimText(field);
  }

  #required(column: ImportColumn): string | null {
    const text = this.#text(column) ?? '';
    return text === '' ? this.wrong(column, 'required', importRowTexts.required) : text;
  }

  /** Returns undefined, and reports it, if the text is not JSON. */
  #json(column: ImportColumn): unknown {
    try {
      return JSON.parse(this.#field(column) ?? '');
    } catch {
      this.wrong(column, 'invalid_json', importRowTexts.invalid_json);
      return undefined;
    }
  }
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * The time of an ISO 8601 calendar date, with or without a time of day, in milliseconds since 1970 UTC; UTC is assumed
 * without an offset. Null for any other format, for dates and times that do not exist, and for years outside 1 to 9999.
 */
export function parseIsoDate(text: string): number | null {
  const match = form.exec(text);
  if (!match) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));

  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, milliseconds);

  const offset = offsetMinutes(match[8]);
  if (offset === null) return null;
  const moment = date.getTime() - offset * 60_000;
  const storedYear = new Date(moment).getUTCFullYear();
  return storedYear >= 1 && storedYear <= 9999 ? moment : null;
}

function offsetMinutes(text: string | undefined): number | null {
  if (text === undefined || text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

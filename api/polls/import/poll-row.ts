import { createHash } from 'node:crypto';
import { optionFields } from './import-settings.contract.ts';
import type { FixedField, ImportField } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { importLimits } from './poll-import.contract.ts';
import type { ImportError, ImportRowCode, ImportWarning } from './poll-import.contract.ts';
import type { CountryShare, Provenance } from '#api/polls/polls.contract.ts';
import {
  allCategories,
  pollIdPattern,
  pollProtections,
  provenanceFields,
  reservedPollIds,
} from '#contract/vocabulary.ts';
import type { PollProtection, Protection } from '#contract/vocabulary.ts';
import { withoutFormulaGuard } from '#domain/csv.ts';
import { isSourceLink } from '#domain/origin.ts';
import { isStorablePollText } from '#domain/poll-texts.ts';
import { dayEnd, localDayOf } from '#domain/time-zone.ts';
import { topicSlug } from '#domain/topics.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { importNotes, importRowTexts, importWarningTexts } from '#texts/poll-import.ts';
import { derivedVotes, readNumber } from './answer-counts.ts';
import type { AnswerColumn, ImportHeader } from './csv-file.ts';
import { hasLostCharacters, isSpreadsheetError, ungarbled } from './damaged-text.ts';
import { parseDate } from './import-dates.ts';
import type { VagueDate } from './import-dates.ts';
import { rowError, shownValue, warning } from './import-problem.ts';
import { jsonProblem } from './json-problem.ts';
import { makeHtmlSafe } from './safe-html.ts';

/** An option of a file; without `votes`, which a list of texts doesn’t state, its id comes from its text. */
export interface StatedOption {
  readonly id: string;
  readonly text: string;
  readonly votes?: number;
}

/** A time that a file states. */
export type StatedTime = 'createdAt' | 'startsAt' | 'endsAt' | 'closedAt' | 'updatedAt';

/**
 * A validated poll of a file. Times are milliseconds since 1970 UTC. A text or list whose column is missing is
 * undefined and stays as stored; null or empty clears it.
 */
export interface StatedPoll {
  readonly line: number;
  readonly id: string;
  /** The id was made from the question and the start. */
  readonly hasGeneratedId?: boolean;
  readonly question: string;
  readonly description?: string;
  /** The row of an export of a poll that was created without a description; a new one needs it. */
  readonly lacksDescription?: boolean;
  readonly options: readonly StatedOption[];
  readonly isActive?: boolean;
  readonly createdAt?: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly closedAt: number | null;
  readonly updatedAt: number | null;
  /** Of these times that have no time of day or no offset in the file, what else they can mean. */
  readonly vague?: Partial<Record<StatedTime, VagueDate>>;
  readonly category?: string | null;
  readonly tags?: readonly string[];
  readonly series?: string | null;
  readonly publishBallots?: boolean;
  readonly protection?: PollProtection;
  readonly author?: string | null;
  readonly summary?: string | null;
  readonly analysis?: string | null;
  readonly methodologyNotes?: string | null;
  readonly countryBreakdown?: readonly CountryShare[];
  readonly seriesNote?: string | null;
  /** Of the texts about imported answers, those with a column. */
  readonly provenance?: { readonly [Field in keyof Provenance]?: string | null };
}

/** A parsed row: the poll, or all its errors; null for a row of empty fields. */
export type ReadRow =
  | { readonly poll: StatedPoll; readonly warnings: readonly ImportWarning[] }
  | { readonly errors: readonly ImportError[]; readonly generatedId?: string }
  | null;

/**
 * Parses one row. `seen` maps ids to the lines of earlier rows, and this row’s is added; `protections` are the levels that this
 * site offers.
 */
export function readRow(
  line: number,
  fields: readonly string[] | null,
  header: ImportHeader,
  seen: Map<string, number>,
  now: number,
  protections: readonly Protection[] = pollProtections,
): ReadRow {
  if (!fields) return { errors: [rowError(line, null, null, 'csv_syntax', importRowTexts.csv_syntax)] };
  // Spreadsheets write rows of only commas after deleted rows.
  if (fields.every(isBlank)) return null;
  if (fields.length !== header.width) {
    const reason = importRowTexts.column_count(fields.length, header.width);
    return { errors: [rowError(line, null, fields[0] ?? null, 'column_count', reason)] };
  }

  const row = new RowReader(line, fields, header);
  const failed = row.failedFormulas();
  if (failed.length > 0) return { errors: failed };
  const { isSpecified } = header;
  const givenId = isSpecified || row.has('id') ? row.id(seen) : undefined;
  const question = row.requiredText('question', importLimits.question);
  const lacksDescription = isSpecified && header.isExported && !row.has('description');
  const description =
    (isSpecified && !lacksDescription) || row.has('description')
      ? row.requiredText('description', importLimits.description)
      : undefined;
  const options = row.options();
  const { answers, dates } = header;
  const isActive = isSpecified ? row.requiredFlag('is_active') : row.flag('is_active');
  const createdAt = isSpecified || row.has('created_at') ? row.requiredMoment('createdAt') : undefined;
  const startsAt = row.requiredMoment('startsAt');
  // Results of one day have only that.
  const endsAt =
    startsAt !== null && answers.length > 0 && !row.has('ends_at')
      ? dayEnd(localDayOf(startsAt, dates.timeZone), dates.timeZone)
      : row.requiredMoment('endsAt');
  const closedAt = row.closing(now);
  const updatedAt = row.moment('updatedAt');
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
    protection: row.protection(closedAt === null ? protections : pollProtections),
    author: row.text('author', limits.importShortText),
    summary: row.text('summary', importLimits.summary),
    methodologyNotes: row.methodology(),
    countryBreakdown: row.countries(),
    seriesNote: row.text('series_note', importLimits.seriesNote),
    provenance: row.provenance(),
  };
  const givenAnalysis = row.text('analysis', importLimits.analysis);
  const hasGeneratedId = givenId === undefined && question !== null && startsAt !== null;
  const id = hasGeneratedId
    ? generatedId(line, question, localDayOf(startsAt, header.dates.timeZone), seen)
    : (givenId ?? null);
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
    return { errors: row.errors, ...(hasGeneratedId && { generatedId: id! }) };

  const { analysis, warnings } = safeAnalysis(line, givenAnalysis);
  return {
    poll: {
      ...{ line, id, question, description, options, isActive, createdAt, startsAt, endsAt, closedAt, updatedAt },
      ...rest,
      analysis,
      ...(Object.keys(row.vague).length > 0 && { vague: row.vague }),
      ...(hasGeneratedId && { hasGeneratedId }),
      ...(lacksDescription && { lacksDescription }),
    },
    warnings: [...warnings, ...row.damagedTexts()],
  };
}

/**
 * The id of a poll without one: its question and the day it starts, so that the same file gives the same ids again. Rows
 * that share both are numbered in their order.
 */
function generatedId(line: number, question: string, day: string, seen: Map<string, number>): string {
  const ascii = topicSlug(question).replace(/[^a-z0-9-]+/g, '');
  const words = /[a-z]/.test(ascii) ? ascii : `poll-${createHash('sha256').update(question).digest('hex').slice(0, 8)}`;
  const base = `${words.replace(/^-+/, '')}-${day}`;
  let id = base;
  for (let number = 2; seen.has(id); number += 1) id = `${base}-${number}`;
  seen.set(id, line);
  return id;
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

const numberReason = (isPercent: boolean) => (isPercent ? importRowTexts.not_a_share : importRowTexts.not_a_count);

const idForm = new RegExp(pollIdPattern);
const reservedIds: readonly string[] = reservedPollIds;
const yes = ['true', '1', 'yes'];
const no = ['false', '0', 'no'];

const timeColumns = {
  createdAt: 'created_at',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  closedAt: 'closed_at',
  updatedAt: 'updated_at',
} as const satisfies Record<StatedTime, ImportField>;

/** Options of texts. Their ids come from the texts, so that votes stay with an option that moves to another place. */
export function withIds(texts: readonly string[]): { readonly id: string; readonly text: string }[] {
  const ids = new Set<string>();
  return texts.map((text) => {
    const base = topicSlug(text).slice(0, importLimits.optionId - 3);
    let id = base;
    for (let number = 2; ids.has(id); number += 1) id = `${base}-${number}`;
    ids.add(id);
    return { id, text };
  });
}

/** Parses the values of one row and collects its errors. Null: invalid or empty; undefined: no such column. */
class RowReader {
  readonly errors: ImportError[] = [];
  /** What else its times can mean. */
  readonly vague: Partial<Record<StatedTime, VagueDate>> = {};
  readonly #line: number;
  readonly #fields: readonly string[];
  readonly #header: ImportHeader;

  constructor(line: number, fields: readonly string[], header: ImportHeader) {
    this.#line = line;
    this.#fields = fields;
    this.#header = header;
  }

  wrong(column: ImportField, code: ImportRowCode, reason: string): null {
    const shownName = this.#header.labels?.get(column) ?? column;
    this.errors.push(rowError(this.#line, shownName, this.#field(column) ?? null, code, reason));
    return null;
  }

  /** An error for each value that is the error of a spreadsheet’s formula. */
  failedFormulas(): readonly ImportError[] {
    for (const [column, at] of this.#header.positions)
      if (isSpreadsheetError(this.#fields[at] ?? ''))
        this.wrong(column, 'spreadsheet_error', importRowTexts.spreadsheet_error);
    return this.errors;
  }

  /** Warnings about texts that were saved with another encoding. */
  damagedTexts(): ImportWarning[] {
    return [...this.#header.positions].flatMap(([column, at]) => {
      const text = this.#fields[at] ?? '';
      const meant = ungarbled(text);
      if (meant === null && !hasLostCharacters(text)) return [];
      const reason =
        meant === null ? importWarningTexts.characters_lost : importWarningTexts.garbled_text(shownValue(meant.trim()));
      const shownName = this.#header.labels?.get(column) ?? column;
      return [warning(this.#line, shownName, text, 'garbled_text', reason)];
    });
  }

  /** Whether the row has a value in this column. */
  has(column: ImportField): boolean {
    return (this.#text(column) ?? '') !== '';
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

  requiredText(column: ImportField, most: number): string | null {
    const text = this.text(column, most);
    // Both empty and invalid texts are null; only an empty one still has to be reported.
    if (text === null && this.#text(column) === '') this.#required(column);
    return text ?? null;
  }

  text(column: ImportField, most: number): string | null | undefined {
    const field = this.#text(column);
    if (field === undefined || field === '') return field === '' ? null : undefined;
    const text = field.replace(/\r\n?/g, '\n');
    if (text.length > most) return this.wrong(column, 'too_long', importRowTexts.too_long(most));
    if (!isStorablePollText(text)) return this.wrong(column, 'invalid_text', importRowTexts.invalid_text);
    return text;
  }

  requiredFlag(column: ImportField): boolean | null {
    return this.#required(column) === null ? null : (this.flag(column) ?? null);
  }

  flag(column: ImportField): boolean | undefined {
    const word = this.#text(column)?.toLowerCase() ?? '';
    if (yes.includes(word)) return true;
    if (word !== '' && !no.includes(word)) this.wrong(column, 'invalid_boolean', importRowTexts.invalid_boolean);
    return word === '' ? undefined : false;
  }

  protection(offered: readonly Protection[]): PollProtection | undefined {
    const word = this.#text('protection')?.toLowerCase() ?? '';
    const level = pollProtections.find((one) => one === word);
    if (word !== '' && level === undefined)
      this.wrong('protection', 'invalid_protection', importRowTexts.invalid_protection);
    if (level !== undefined && !offered.includes(level))
      this.wrong('protection', 'protection_unavailable', importRowTexts.protection_unavailable);
    return level;
  }

  /** The notes on the method; of counts that were made from shares, that they were. */
  methodology(): string | null | undefined {
    const given = this.text('methodology_notes', importLimits.methodology);
    if (!this.#header.answers.some(({ isPercent }) => isPercent)) return given;
    const derived = importNotes.derived(this.#text('base') ?? '');
    return given ? `${derived}\n\n${given}` : derived;
  }

  requiredMoment(time: StatedTime): number | null {
    return this.#required(timeColumns[time]) === null ? null : this.moment(time);
  }

  moment(time: StatedTime): number | null {
    const column = timeColumns[time];
    const text = this.#text(column) ?? '';
    if (text === '') return null;
    const { dates } = this.#header;
    const date = parseDate(text, dates, time === 'endsAt' || time === 'closedAt');
    if (date === null)
      return this.wrong(
        column,
        'invalid_date',
        dates.dateFormat === null ? importRowTexts.invalid_date : importRowTexts.date_in_format[dates.dateFormat],
      );
    if (date === 'skipped') return this.wrong(column, 'invalid_date', importRowTexts.skipped_time(dates.timeZone));
    if (date.vague) this.vague[time] = date.vague;
    return date.at;
  }

  /** When the poll was closed; a date without a time that is today: now, since the day isn’t over. */
  closing(now: number): number | null {
    const closedAt = this.moment('closedAt');
    const day = this.vague.closedAt?.day;
    return closedAt !== null && closedAt > now && day && day.from <= now ? now : closedAt;
  }

  options(): StatedOption[] | null {
    const { answers } = this.#header;
    if (answers.length > 0) return this.#answerOptions(answers);
    const own = optionFields.filter((field) => this.has(field));
    if (own.length > 0 && !this.has('options'))
      return this.#optionsOf(
        own[0]!,
        own.map((field) => this.#text(field)!),
      );
    const text = this.#required('options');
    if (text === null) return null;
    const isJson = /^[[{]/.test(text) || jsonProblem(text) === null;
    if (isJson) return this.#jsonOptions();
    if (text.includes('|'))
      return this.#optionsOf(
        'options',
        text
          .split('|')
          .map(trimText)
          .filter((one) => one !== ''),
      );
    return this.wrong('options', 'invalid_json', importRowTexts.not_options);
  }

  /** Options of columns with their results; the row has no such answer where a column is empty. */
  #answerOptions(columns: readonly AnswerColumn[]): StatedOption[] | null {
    const given = columns.filter(({ at }) => !isBlank(this.#fields[at] ?? ''));
    const wrong = ({ at, text, isPercent }: AnswerColumn, reason: string = numberReason(isPercent)) => {
      this.errors.push(rowError(this.#line, text, this.#fields[at] ?? null, 'invalid_number', reason));
      return null;
    };
    const numbers = given.map((column) => {
      const value = readNumber(this.#fields[column.at]!, column.isPercent);
      return value === null || value > (column.isPercent ? 100 : importLimits.votes) ? wrong(column) : value;
    });
    if (!numbers.every((value) => value !== null)) return null;
    const texts = given.map(({ text }) => text);
    const isDerived = given.some(({ isPercent }) => isPercent);
    if (!isDerived) return this.#withVotes(texts, numbers);
    if (!given.every(({ isPercent }) => isPercent)) return wrong(given[0]!, importRowTexts.mixed_results);
    const base = readNumber(this.#text('base') ?? '', false);
    if (base === null || base === 0) return this.wrong('base', 'invalid_number', importRowTexts.not_a_count);
    const derived = derivedVotes(numbers, base);
    if (derived === null) return wrong(given[0]!, importRowTexts.shares_over);
    return derived.rest === 0
      ? this.#withVotes(texts, derived.votes)
      : this.#withVotes([...texts, importNotes.rest], [...derived.votes, derived.rest]);
  }

  #withVotes(texts: readonly string[], votes: readonly number[]): StatedOption[] | null {
    if (votes.reduce((sum, count) => sum + count, 0) > importLimits.votes)
      return this.wrong('answer_votes', 'invalid_options', importRowTexts.too_many_votes(importLimits.votes));
    const options = this.#optionsOf('answer_votes', texts);
    return options?.map((option, place) => ({ ...option, votes: votes[place]! })) ?? null;
  }

  /** Options of texts. */
  #optionsOf(column: ImportField, texts: readonly string[]): StatedOption[] | null {
    const options = withIds(texts.map((text) => text.replace(/\r\n?/g, '\n')));
    if (options.length > importLimits.options)
      return this.wrong(column, 'too_long', importRowTexts.too_many(importLimits.options));
    if (options.some(({ text }) => text.length > importLimits.optionText))
      return this.wrong(column, 'too_long', importRowTexts.too_long(importLimits.optionText));
    if (!options.every(({ text }) => isStorablePollText(text)))
      return this.wrong(column, 'invalid_text', importRowTexts.invalid_text);
    return options.length < 2 ? this.wrong(column, 'too_few_options', importRowTexts.too_few_options) : options;
  }

  #jsonOptions(): StatedOption[] | null {
    const refuse = (code: ImportRowCode, reason: string) => this.wrong('options', code, reason);
    const list = this.#json('options');
    if (list === undefined) return null;
    if (!Array.isArray(list)) return refuse('invalid_options', importRowTexts.invalid_options);
    if (list.length > importLimits.options) return refuse('too_long', importRowTexts.too_many(importLimits.options));

    const options: StatedOption[] = [];
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
  checkTotal(options: readonly StatedOption[] | null): void {
    const text = this.#text('total_votes') ?? '';
    if (text === '') return;
    const sum = options?.reduce((votes, option) => votes + (option.votes ?? 0), 0);
    const isPlain = this.#header.answers.length === 0;
    const total = isPlain && !/^\d{1,15}$/.test(text) ? null : readNumber(text, false);
    if (total === null) this.wrong('total_votes', 'invalid_number', importRowTexts.invalid_number);
    else if (sum !== undefined && total !== sum)
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

  /** What the file states of the answers, by the columns that it has. */
  provenance(): StatedPoll['provenance'] {
    const stated = provenanceFields.flatMap((field) => {
      const text = this.text(field === 'fieldDates' ? 'field_dates' : field, importLimits.provenance);
      return text === undefined ? [] : [[field, text] as const];
    });
    if (stated.length === 0) return undefined;
    const provenance: NonNullable<StatedPoll['provenance']> = Object.fromEntries(stated);
    if (provenance.link != null && !isSourceLink(provenance.link))
      this.wrong('link', 'invalid_link', importRowTexts.invalid_link);
    return provenance;
  }

  #field(column: ImportField): string | undefined {
    const position = this.#header.positions.get(column);
    if (position === undefined) return this.#header.fixed?.[column as FixedField];
    const field = this.#fields[position];
    return field === undefined || !this.#header.isExported ? field : withoutFormulaGuard(field);
  }

  #text(column: ImportField): string | undefined {
    const field = this.#field(column);
    return field === undefined ? undefined : trimText(field);
  }

  #required(column: ImportField): string | null {
    const text = this.#text(column) ?? '';
    return text === '' ? this.wrong(column, 'required', importRowTexts.required) : text;
  }

  /** Returns undefined, and reports it, if the text is not JSON. */
  #json(column: ImportField): unknown {
    const text = this.#field(column) ?? '';
    try {
      return JSON.parse(text);
    } catch {
      const problem = jsonProblem(text);
      this.wrong(column, 'invalid_json', problem ? importRowTexts.invalid_json(problem) : importRowTexts.no_json);
      return undefined;
    }
  }
}

import type { ErrorObject, ValidateFunction } from 'ajv';
import { CORE_SCHEMA, dump, load, YAMLException } from 'js-yaml';
import { fileURLToPath } from 'node:url';
import type { ContentDraft, ContentHead } from '#api/content/content.contract.ts';
import { isBlank } from '#domain/visible-text.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { ruleOf } from '#texts/field-errors.ts';

/** The folder of articles, legal pages, and other texts for readers. */
export const contentFolder = fileURLToPath(new URL('../../../content/', import.meta.url));

/** An error in a file of content/. */
interface FileProblem {
  /** From 1; null where the whole file is meant. */
  readonly line: number | null;
  readonly problem: string;
  /** The field of the front matter that is wrong, if one is. */
  readonly field: string | null;
}

/** Errors in a file of content/, for its author; each line of the message begins with the file and the line. */
export class ContentProblem extends Error {
  override readonly name = 'ContentProblem';
  readonly problems: readonly FileProblem[];

  private constructor(file: string, problems: readonly FileProblem[]) {
    super(problems.map(({ line, problem }) => texts.at(file, line, problem)).join('\n'));
    this.problems = problems;
  }

  static at(file: string, line: number | null, problem: string, field: string | null = null): ContentProblem {
    return new ContentProblem(file, [{ line, problem, field }]);
  }

  static all(file: string, problems: readonly FileProblem[]): ContentProblem {
    return new ContentProblem(file, problems);
  }
}

/** A field that a schema of the contract rejected, and why. */
interface FieldProblem {
  /** Dotted path; list members by number, from 1. */
  readonly field: string;
  readonly why: string;
}

/** The errors of a validator, one per field. */
export function problemsFound(found: readonly ErrorObject[] | null | undefined): FieldProblem[] {
  const problems = (found ?? []).map(problemFound);
  return problems.filter(({ field }, index) => problems.findIndex((other) => other.field === field) === index);
}

function problemFound(found: ErrorObject): FieldProblem {
  const path = found.instancePath
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  const { params } = found as { params: Record<string, unknown> };
  switch (found.keyword) {
    case 'required':
      return { field: [...path, params.missingProperty].join('.'), why: texts.whatIsWrong.required };
    case 'additionalProperties':
      return { field: [...path, params.additionalProperty].join('.'), why: texts.whatIsWrong.unknown };
    default:
      return { field: path.join('.'), why: ruleOf(found) };
  }
}

/** The fields whose text is blank. */
export function blankFields(value: unknown, path: readonly string[] = []): FieldProblem[] {
  if (typeof value === 'string') return isBlank(value) ? [{ field: path.join('.'), why: texts.whatIsWrong.blank }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    blankFields(member, [...path, Array.isArray(value) ? String(Number(name) + 1) : name]),
  );
}

/** The value of a YAML text, or why it can't be parsed and in which of its lines (from 1). */
type YamlText =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string; readonly line: number };

/** Parses YAML with the core schema: dates and "yes" stay strings. */
export function readYaml(text: string): YamlText {
  try {
    return { ok: true, value: load(text, { schema: CORE_SCHEMA }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { ok: false, why: error.reason, line: (error.mark?.line ?? 0) + 1 };
  }
}

/** A file of content/: front matter and text. */
export interface ContentFile<T> {
  readonly head: T;
  readonly text: string;
  /** Line of the file where the text begins, from 1. */
  readonly firstLine: number;
}

/** The text of a file without a byte order mark and with one kind of line end. */
export const plainLines = (content: string): string => content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

const isFence = (line: string | undefined) => line?.trimEnd() === '---';

/** Front matter and Markdown as a file. */
export function writeContentFile({ head, text }: ContentDraft): string {
  const yaml = dump(head, { schema: CORE_SCHEMA, lineWidth: -1 });
  return `---\n${yaml}---\n\n${withoutEmptyEnds(plainLines(text))}\n`.toWellFormed();
}

/** Front matter and Markdown of a file that {@link writeContentFile} wrote, or that was valid; not checked. */
export function readDraft(source: string): ContentDraft {
  const lines = plainLines(source).split('\n');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  const yaml = readYaml(lines.slice(1, end).join('\n'));
  const head = yaml.ok ? (yaml.value as ContentHead | null | undefined) : null;
  return { head: head ?? {}, text: withoutEmptyEnds(lines.slice(end + 1).join('\n')) };
}

const withoutEmptyEnds = (text: string) => text.replace(/^\n+/, '').trimEnd();

/** Splits a file into front matter, which the contract validates, and text; `file` names it in problems. */
export function readContentFile<T>(file: string, content: string, check: ValidateFunction<T>): ContentFile<T> {
  const lines = plainLines(content).split('\n');
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (!isFence(lines[0]) || end < 0) throw ContentProblem.at(file, 1, texts.noFrontMatter);
  const yaml = readYaml(lines.slice(1, end).join('\n'));
  if (!yaml.ok) throw ContentProblem.at(file, yaml.line + 1, texts.frontMatter(yaml.why));
  const head = yaml.value;
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw ContentProblem.at(file, 2, texts.frontMatterShape);
  const wrong = check(head) ? [] : problemsFound(check.errors);
  const blank = blankFields(head).filter(({ field }) => !wrong.some((other) => other.field === field));
  const text = lines.slice(end + 1).join('\n');
  const problems = [...wrong, ...blank].map(({ field, why }): FileProblem => {
    const line = lines.findIndex((words, index) => index < end && words.startsWith(`${field.split('.')[0]}:`));
    return { line: line < 0 ? null : line + 1, problem: texts.frontMatterField(field, why), field };
  });
  if (isBlank(text)) problems.push({ line: end + 1, problem: texts.empty, field: null });
  if (problems.length > 0) throw ContentProblem.all(file, problems);
  return { head: head as T, text, firstLine: end + 2 };
}

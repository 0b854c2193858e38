import type { ErrorObject, ValidateFunction } from 'ajv';
import { CORE_SCHEMA, dump, load, YAMLException } from 'js-yaml';
import { fileURLToPath } from 'node:url';
import type { ContentDraft, ContentHead } from '#contract/content.ts';
import { isBlank } from '#domain/visible-text.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { ruleOf } from '#texts/field-errors.ts';

/** The folder of articles, legal pages, and other texts for readers. */
export const contentFolder = fileURLToPath(new URL('../../content/', import.meta.url));

/** An error in a file of content/, for its author; the message begins with the file and the line. */
export class ContentProblem extends Error {
  override readonly name = 'ContentProblem';
  /** From 1; null where the whole file is meant. */
  readonly line: number | null;
  /** The message without file and line. */
  readonly problem: string;
  /** The field of the front matter that is wrong, if one is. */
  readonly field: string | null;

  constructor(file: string, line: number | null, problem: string, field: string | null = null) {
    super(texts.at(file, line, problem));
    this.line = line;
    this.problem = problem;
    this.field = field;
  }
}

/** A field that a schema of the contract rejected, and why. */
interface FieldProblem {
  /** Dotted path; list members by number, from 1. */
  readonly field: string;
  readonly why: string;
}

/** The first error of a validator. */
export function firstProblem(found: readonly ErrorObject[] | null | undefined): FieldProblem {
  const [first] = found ?? [];
  if (!first) return { field: '', why: '' };
  const path = first.instancePath
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part));
  const { params } = first as { params: Record<string, unknown> };
  switch (first.keyword) {
    case 'required':
      return { field: [...path, params.missingProperty].join('.'), why: texts.whatIsWrong.required };
    case 'additionalProperties':
      return { field: [...path, params.additionalProperty].join('.'), why: texts.whatIsWrong.unknown };
    default:
      return { field: path.join('.'), why: ruleOf(first) };
  }
}

/** The first field whose text is blank. */
export function blankField(value: unknown, path: readonly string[] = []): FieldProblem | undefined {
  if (typeof value === 'string')
    return isBlank(value) ? { field: path.join('.'), why: texts.whatIsWrong.blank } : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = blankField(member, [...path, Array.isArray(value) ? String(Number(name) + 1) : name]);
    if (found) return found;
  }
  return undefined;
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
  if (!isFence(lines[0]) || end < 0) throw new ContentProblem(file, 1, texts.noFrontMatter);
  const yaml = readYaml(lines.slice(1, end).join('\n'));
  if (!yaml.ok) throw new ContentProblem(file, yaml.line + 1, texts.frontMatter(yaml.why));
  const head = yaml.value;
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw new ContentProblem(file, 2, texts.frontMatterShape);
  const problem = check(head) ? blankField(head) : firstProblem(check.errors);
  if (problem) {
    const { field, why } = problem;
    const line = lines.findIndex((text, index) => index < end && text.startsWith(`${field.split('.')[0]}:`));
    throw new ContentProblem(file, line < 0 ? null : line + 1, texts.frontMatterField(field, why), field);
  }
  const text = lines.slice(end + 1).join('\n');
  if (isBlank(text)) throw new ContentProblem(file, end + 1, texts.empty);
  return { head: head as T, text, firstLine: end + 2 };
}

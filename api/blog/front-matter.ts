import type { ValidateFunction } from 'ajv';
import { isBlank } from '#domain/visible-text.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { blankField, ContentProblem, firstProblem } from './content-problem.ts';
import { readYaml } from './yaml-text.ts';

/** A file of content/ cut in two. */
export interface ContentFile<T> {
  readonly head: T;
  readonly text: string;
  /** Line of the file in which the text begins, from 1. */
  readonly firstLine: number;
}

/** Cuts a file into front matter, which the contract checks, and text; `file` names it in problems. */
export function readContentFile<T>(file: string, content: string, check: ValidateFunction<T>): ContentFile<T> {
  const lines = content
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (lines[0]?.trimEnd() !== '---' || end < 0) throw new ContentProblem(file, 1, texts.noFrontMatter);
  const yaml = readYaml(lines.slice(1, end).join('\n'));
  if (!yaml.ok) throw new ContentProblem(file, yaml.line + 1, texts.frontMatter(yaml.why));
  const head = yaml.value;
  if (typeof head !== 'object' || head === null || Array.isArray(head))
    throw new ContentProblem(file, 2, texts.frontMatterShape);
  const problem = check(head) ? blankField(head) : firstProblem(check.errors);
  if (problem) {
    const { field, why } = problem;
    const line = lines.findIndex((text, index) => index < end && text.startsWith(`${field.split('.')[0]}:`));
    throw new ContentProblem(file, line < 0 ? null : line + 1, texts.frontMatterField(field, why));
  }
  const text = lines.slice(end + 1).join('\n');
  if (isBlank(text)) throw new ContentProblem(file, end + 1, texts.empty);
  return { head: head as T, text, firstLine: end + 2 };
}

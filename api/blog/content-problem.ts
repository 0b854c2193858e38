import type { ErrorObject } from 'ajv';
import { isBlank } from '#domain/visible-text.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { ruleOf } from '#texts/field-errors.ts';

/** Something in a file of content/ that its author must correct. The message begins with the file and the line. */
export class ContentProblem extends Error {
  override readonly name = 'ContentProblem';

  constructor(file: string, line: number | null, problem: string) {
    super(texts.at(file, line, problem));
  }
}

/** A field that a schema of the contract refused, and why. */
export interface FieldProblem {
  /** Dotted; list members by their place from 1. */
  readonly field: string;
  readonly why: string;
}

/** The first thing that a validator found. */
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

/** The first text among the fields that a reader would not see; undefined when there is none. */
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

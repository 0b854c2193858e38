import { groupLines } from './import-settings.contract.ts';
import type {
  ErrorGroup,
  ImportError,
  ImportFileCode,
  ImportRowCode,
  ImportWarning,
  ImportWarningCode,
} from './poll-import.contract.ts';

/** Errors, and warnings, that one import lists; more are only counted. */
export const importProblemsListed = 10_000;
/** Characters of an invalid value that a report repeats. */
export const importValueShown = 80;

/** The whole file is refused; carries the errors of the response. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly errors: readonly ImportError[];

  constructor(errors: readonly [ImportError, ...ImportError[]]) {
    super(errors[0].reason);
    this.errors = errors;
  }
}

/** A refusal of the whole file, with `line` and `column` if one place is to blame. */
export function refuse(
  code: ImportFileCode,
  reason: string,
  at: { line?: number; column?: string; value?: string } = {},
): FileRefused {
  return new FileRefused([fileError(code, reason, at)]);
}

/** One entry of a refusal. */
export function fileError(
  code: ImportFileCode,
  reason: string,
  at: { line?: number; column?: string; value?: string } = {},
): ImportError {
  return { line: at.line ?? null, column: at.column ?? null, value: shown(at.value), code, reason };
}

/** One error of a row; `column` null means the whole row. */
export function rowError(
  line: number,
  column: string | null,
  value: string | null,
  code: ImportRowCode,
  reason: string,
): ImportError {
  return { line, column, value: shown(value), code, reason };
}

/** A problem that did not stop the row. */
export function warning(
  line: number,
  column: string,
  value: string | null,
  code: ImportWarningCode,
  reason: string,
): ImportWarning {
  return { line, column, value: shown(value), code, reason };
}

/** Problems in file order, up to the number that a response lists; the rest are only counted. */
export class ProblemList<T extends { readonly line: number | null }> {
  readonly #items: T[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(item: T): void {
    this.#count += 1;
    if (this.#items.length < importProblemsListed) this.#items.push(item);
  }

  inFileOrder(): T[] {
    return this.#items.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }
}

/** Errors by code and column, with the first lines of each. */
export class ErrorGroups {
  readonly #groups = new Map<string, ErrorGroup & { lines: number[] }>();

  add({ code, column, reason, line }: ImportError): void {
    const key = `${code} ${column}`;
    const known = this.#groups.get(key);
    const lines = known?.lines ?? [];
    if (line !== null && lines.length < groupLines) lines.push(line);
    const sameReason = known === undefined || (known.sameReason && known.reason === reason);
    const count = (known?.count ?? 0) + 1;
    this.#groups.set(key, { code, column, reason: known?.reason ?? reason, sameReason, count, lines });
  }

  mostFrequentFirst(): ErrorGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}

// Characters that would move a terminal’s cursor or reverse a line’s direction.
const disturbing = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;

const shown = (value: string | null | undefined) => (value == null ? null : shownValue(value));

/** A value as a report repeats it. */
export function shownValue(value: string): string {
  const most = importValueShown;
  // Truncated first: the value may be megabytes long.
  const text = value.slice(0, most + 1).replace(disturbing, ' ');
  return (text.length > most ? `${text.slice(0, most)}…` : text).toWellFormed();
}

import { messageOf } from '#platform/errors.ts';
import { doctorTexts as texts } from '#texts/doctor.ts';

/** What one look has found: how things are, and what to do where they are not well. */
export interface Finding {
  readonly check: keyof typeof texts.checks;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly advice?: string;
}

/** A finding that says that all is well. */
export function ok(check: Finding['check'], text: string): Finding {
  return { check, level: 'ok', text };
}

/** A finding that the operator should hear of. */
export function found(
  level: 'warning' | 'problem',
  check: Finding['check'],
  words: { readonly text: string; readonly advice: string },
): Finding {
  return { check, level, text: words.text, advice: words.advice };
}

/** The reason in an error, without the statement that knex puts before it. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return (
    message
      .split(' - ')
      .at(-1)
      ?.replace(/^SQLITE_[A-Z]+: /, '') ?? message
  );
}

import { doctorTexts as texts } from '#texts/doctor.ts';

/** The result of one check, with advice if something is wrong. */
export interface Finding {
  readonly check: keyof typeof texts.checks;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly advice?: string;
}

/** A finding without a problem. */
export function ok(check: Finding['check'], text: string): Finding {
  return { check, level: 'ok', text };
}

/** A finding that the operator should act on. */
export function found(
  level: 'warning' | 'problem',
  check: Finding['check'],
  words: { readonly text: string; readonly advice: string },
): Finding {
  return { check, level, text: words.text, advice: words.advice };
}

/** What a JSON text should have continued with. */
export type JsonExpectation = 'value' | 'key' | 'colon' | 'comma' | 'end' | 'quote' | 'escape';

/** The place, counted from 1, where a text stops being JSON. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly expected: JsonExpectation;
}

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Where a text stops being JSON, and what was expected there; null if it is JSON. Error messages of the runtime’s parser
 * often name no place. It keeps its own stack, so that no text can exhaust the runtime’s.
 */
export function jsonProblem(text: string): JsonProblem | null {
  const open: ('[' | '{')[] = [];
  let expected: JsonExpectation = 'value';
  let mayClose = false;
  let at = 0;
  for (;;) {
    at = endOf(space, text, at) ?? at;
    const found = text[at];
    if (expected === 'end') return found === undefined ? null : placeOf(text, at, 'end');
    const inside = open.at(-1);
    if (mayClose && found === (inside === '[' ? ']' : '}')) {
      open.pop();
      at += 1;
    } else if (expected === 'comma') {
      if (found !== ',') return placeOf(text, at, 'comma');
      at += 1;
      expected = inside === '[' ? 'value' : 'key';
      mayClose = false;
      continue;
    } else if (expected === 'colon') {
      if (found !== ':') return placeOf(text, at, 'colon');
      at += 1;
      expected = 'value';
      continue;
    } else if (found === '"') {
      const string = stringEnd(text, at);
      if ('expected' in string) return placeOf(text, string.at, string.expected);
      at = string.at;
      if (expected === 'key') {
        expected = 'colon';
        mayClose = false;
        continue;
      }
    } else if (expected === 'key') return placeOf(text, at, 'key');
    else if (found === '[' || found === '{') {
      open.push(found);
      at += 1;
      expected = found === '[' ? 'value' : 'key';
      mayClose = true;
      continue;
    } else {
      const end = endOf(scalar, text, at);
      if (end === null) return placeOf(text, at, 'value');
      at = end;
    }
    // A value has ended.
    expected = open.length === 0 ? 'end' : 'comma';
    mayClose = open.length > 0;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

function stringEnd(text: string, start: number): { at: number } | { at: number; expected: JsonExpectation } {
  for (let at = start + 1; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 34) return { at: at + 1 };
    if (code < 32) return { at, expected: 'escape' };
    if (code !== 92) at += 1;
    else {
      const end = endOf(escape, text, at);
      if (end === null) return { at, expected: 'escape' };
      at = end;
    }
  }
  return { at: text.length, expected: 'quote' };
}

function placeOf(text: string, at: number, expected: JsonExpectation): JsonProblem {
  const before = text.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - start + 1, expected };
}

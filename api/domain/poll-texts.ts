import type { PollTexts } from '#api/polls/managing.contract.ts';
import { allCategories } from '#contract/vocabulary.ts';
import type { Finding } from '#texts/field-errors.ts';
import { trimText } from './visible-text.ts';

// Characters that PostgreSQL (NUL) or XML feeds can't contain; line ends and tabs are fine.
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Whether a poll’s text can be stored and published in feeds. */
export function isStorablePollText(text: string): boolean {
  return !unstorable.test(text) && text.isWellFormed();
}

/** Nesting depth of the texts: the poll, its lists, the options in them. */
const maxDepth = 3;

/** Trims texts and normalizes line ends to LF before validation; returns other shapes unchanged. */
export function normalizePollTexts(body: unknown, depth = 0): unknown {
  if (typeof body === 'string') return trimText(body).replace(/\r\n?/g, '\n');
  // The limit protects the stack from deeply nested bodies.
  if (typeof body !== 'object' || body === null || depth === maxDepth) return body;
  if (Array.isArray(body))
    return body.map((entry) => normalizePollTexts(entry, depth + 1)).filter((entry) => entry !== '');
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === 'id' ? value : normalizePollTexts(value, depth + 1)]),
  );
}

/** Validates what the schema of new texts can’t express: storable texts, and no reserved category. */
export function pollTextsFindings(texts: PollTexts): Finding[] {
  const { options = [], tags = [], ...plain } = texts;
  const all: (readonly [path: string, text: string | null])[] = [
    ...Object.entries(plain).flatMap(([name, text]) =>
      typeof text === 'boolean' ? [] : [[`/${name}`, text] as const],
    ),
    ...tags.map((tag, index) => [`/tags/${index}`, tag] as const),
    ...options.map(({ text }, index) => [`/options/${index}/text`, text] as const),
  ];
  const findings: Finding[] = all
    .filter(([, text]) => text !== null && !isStorablePollText(text))
    .map(([instancePath]) => ({ keyword: 'storable', instancePath, params: {} }));
  if (texts.category?.toLowerCase() === allCategories)
    findings.push({ keyword: 'reserved', instancePath: '/category', params: {} });
  return findings;
}

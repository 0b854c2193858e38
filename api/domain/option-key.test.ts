import { expect, test } from 'vitest';
import { newCommunityPollFindings } from './community-poll-rules.ts';
import { optionKey, repeatedOptions } from './option-key.ts';
import { contentFindings, emptyContent } from './poll-draft.ts';

const sameAsYesSir: readonly (readonly [what: string, text: string])[] = [
  ['the same text', 'Yes, sir'],
  ['other capitalization', 'YES, Sir'],
  ['a zero-width space', 'Ye\u200bs, sir\u200b'],
  ['a byte order mark', 'Yes\ufeff, sir'],
  ['a soft hyphen', 'Y\u00ades, sir'],
  ['two spaces', 'Yes,  sir'],
  ['a no-break space', 'Yes,\u00a0sir'],
  ['an ideographic space', 'Yes,\u3000sir'],
  ['an empty Braille cell', 'Yes,\u2800sir'],
  ['a line break', 'Yes,\r\nsir'],
  ['full-width letters', 'Ｙｅｓ， ｓｉｒ'],
  ['a variation selector', 'Yes\ufe0f, sir'],
  ['a direction mark', '\u200eYes, sir\u202c'],
  ['a Hangul filler', 'Yes\u3164, sir'],
  ['a tag', 'Yes\u{e0041}, sir'],
  ['a control character', 'Yes\u0007, sir'],
  ['mathematical letters', '𝐘𝐞𝐬, sir'],
  ['a long s', 'Yes, ſir'],
];

test.each(sameAsYesSir)('[D6.12] an option with %s is the same option on every way in', (_, text) => {
  const options = ['Yes, sir', 'No', text].map((option, index) => ({ id: `option-${index + 1}`, text: option }));
  const repeated = { keyword: 'repeated', instancePath: '/options/2/text', params: {} };
  expect(repeatedOptions(options)).toEqual(new Set([2]));
  expect(newCommunityPollFindings({ question: 'Yes?', options, startsAt: null, endsAt: null }, 0)).toContainEqual(
    repeated,
  );
  expect(contentFindings({ ...emptyContent, options }, 0)).toContainEqual(repeated);
});

test.each([
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδος'],
  ['Cafe\u0301', 'Café'],
  ['ﬁsh', 'FISH'],
  ['ΐ', 'Ϊ́'],
  ['½', '1⁄2'],
  ['م\u200cن', 'من'],
])('“%s” and “%s” are the same option', (one, other) => {
  expect(optionKey(one)).toBe(optionKey(other));
});

const flag = (region: string) =>
  `🏴${Array.from(`gb${region}`, (letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('')}\u{e007f}`;

test.each([
  ['resume', 'résumé'],
  ['Yes', 'Yes.'],
  ['To day', 'Today'],
  ['1 2', '12'],
  ['👍🏽', '👍🏿'],
  [flag('eng'), flag('sct')],
])('“%s” and “%s” are different options', (one, other) => {
  expect(optionKey(one)).not.toBe(optionKey(other));
});

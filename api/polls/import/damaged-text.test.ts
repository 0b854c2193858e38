import { expect, test } from 'vitest';
import { isSpreadsheetError, ungarbled } from './damaged-text.ts';

test.each([
  ['KÃ¤se oder BrÃ¶tchen?', 'Käse oder Brötchen?'],
  ['itâ€™s', 'it’s'],
  ['5 â‚¬', '5 €'],
  ['ÐŸÑ€Ð¸Ð²ÐµÑ‚', 'Привет'],
  ['æ—¥æœ¬', '日本'],
  ['Ã‰tÃ©', 'Été'],
])('“%s” is recognized as “%s” saved with another encoding', (garbled, meant) =>
  expect(ungarbled(garbled)).toBe(meant),
);

test.each([
  'Käse',
  'CAFÉ”',
  'It’s 5 €',
  'AMANHÃ',
  'São João',
  'naïve – oui',
  'Привет',
  '日本',
  'À la carte…',
  '25 % «É»',
])('“%s” is no garbled text', (text) => expect(ungarbled(text)).toBeNull());

test('errors of formulas are recognized, and other texts with a # are not', () => {
  expect(['#DIV/0!', ' #N/A ', '#WERT!', '#######'].filter(isSpreadsheetError)).toHaveLength(4);
  expect(['#1', '#MeToo', 'C#', '# of votes!', '##'].filter(isSpreadsheetError)).toEqual([]);
});

/** What spreadsheets show, or save as CSV, for a formula that failed; some translate the names. */
const errorNames = new Set(
  [
    '#DIV/0!',
    '#N/A',
    '#NAME?',
    '#NULL!',
    '#NUM!',
    '#REF!',
    '#VALUE!',
    '#ERROR!',
    '#SPILL!',
    '#CALC!',
    '#FIELD!',
  ].concat(
    [
      '#BLOCKED!',
      '#UNKNOWN!',
      '#CONNECT!',
      '#BUSY!',
      '#GETTING_DATA',
      '#NV',
      '#WERT!',
      '#BEZUG!',
      '#ZAHL!',
      '#ÜBERLAUF!',
    ],
    ['#VALEUR!', '#NOM?', '#NOMBRE!', '#¡DIV/0!', '#¡VALOR!', '#¿NOMBRE?', '#¡REF!', '#¡NUM!', '#NOME?', '#VALOR!'],
    ['#RIF!', '#VALORE!', '#ERROR', '#¡ERROR!', 'Err:502', 'Err:504', 'Err:508', 'Err:522'],
  ),
);

/** Whether a value is the error of a spreadsheet’s formula, or the signs of a column that is too narrow for its number. */
export const isSpreadsheetError = (value: string) => errorNames.has(value.trim()) || /^#{3,}$/.test(value.trim());

/** The characters that Windows-1252 has at the bytes 0x80 to 0x9F, where Latin-1 has none. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** Characters that may well follow a capital letter with an accent. */
const punctuation = '…‘’“”–—•™«»°·´¸\u00ad';
const suspicious = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${windowsCharacters}]+`, 'gu');

/**
 * The text that a garbled one was before UTF-8 was read as Windows-1252 and saved, such as “Käse” for “KÃ¤se”; null for a
 * text that isn’t garbled.
 */
export function ungarbled(text: string): string | null {
  let found = 0;
  const restored = text.replace(suspicious, (characters) => {
    const read = fromBytes(characters);
    if (read === null) return characters;
    // One accented capital before a quotation mark is probably meant as it stands.
    found += characters.length === 2 && punctuation.includes(characters.charAt(1)) ? 0.3 : 1;
    return read;
  });
  return found >= 1 ? restored : null;
}

function fromBytes(characters: string): string | null {
  const bytes = Array.from(characters, (character) => {
    const special = windowsCharacters.indexOf(character);
    return special === -1 ? character.charCodeAt(0) : 0x80 + special;
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/** Whether a program has replaced characters that it couldn’t read. */
export const hasLostCharacters = (text: string) => text.includes('\uFFFD');

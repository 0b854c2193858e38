import { format, isDateFormat } from 'numfmt';

/**
 * A cell: its text as a spreadsheet shows it, and for numbers shown otherwise also its value (dates as local ISO 8601,
 * because cells have no time zone).
 */
export type Cell = string | readonly [shown: string, value: string];

/** The formats that a workbook names by number only (ECMA-376 18.8.30), as English spreadsheets have them. */
const numberedFormats: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 5: '$#,##0;($#,##0)', 6: '$#,##0;($#,##0)', 7: '$#,##0.00;($#,##0.00)', 8: '$#,##0.00;($#,##0.00)' },
  ...{ 14: 'm/d/yyyy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM' },
  ...{ 20: 'h:mm', 21: 'h:mm:ss', 22: 'm/d/yyyy h:mm', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0' },
  ...{ 37: '#,##0;(#,##0)', 38: '#,##0;(#,##0)', 39: '#,##0.00;(#,##0.00)', 40: '#,##0.00;(#,##0.00)' },
  ...{ 41: '#,##0;(#,##0);-', 42: '$#,##0;($#,##0);$-', 43: '#,##0.00;(#,##0.00);-', 44: '$#,##0.00;($#,##0.00);$-' },
  ...{ 48: '##0.0E+0', 49: '@' },
};

/** The pattern of a format that a workbook names by number only; General for others. */
export function numberedFormat(id: number): string {
  // These are dates whose form depends on the language of an East Asian spreadsheet.
  const isEastAsianDate = (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isEastAsianDate ? 'm/d/yyyy' : (numberedFormats[id] ?? 'General');
}

/** Days between the first days of the two date systems. */
const days1904 = 1462;
/** The day after 9999-12-31. */
const daysEnd = 2_958_466;

/** A number in its format. */
export function numberCell(text: string, pattern: string, is1904: boolean): Cell {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  const plain = plainNumber(number);
  if (/^(?:general|@)$/i.test(pattern)) return plain;
  const isDate = isDateFormat(pattern);
  const serial = isDate && is1904 ? number + days1904 : number;
  const shown = shownNumber(serial, pattern) || plain;
  // A number below one is a time of day without a date.
  const value = isDate ? (serial >= 1 && serial < daysEnd ? isoOf(serial) : shown) : plain;
  return shown === value ? shown : [shown, value];
}

/** Without the last digits of binary fractions; spreadsheets calculate with 15. */
const plainNumber = (number: number) => String(Number.isSafeInteger(number) ? number : Number(number.toPrecision(15)));

function shownNumber(number: number, pattern: string): string {
  try {
    // Spaces that align columns are no part of the text.
    return format(pattern, number).trim();
  } catch {
    return '';
  }
}

/** A day number as ISO 8601; without a time at midnight. */
export function isoOf(serial: number): string {
  // The first date system counts 1900-02-29, which didn’t exist.
  const days = serial < 60 ? serial + 1 : serial;
  const [day = '', time = ''] = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day}T${time.slice(0, 8)}`;
}

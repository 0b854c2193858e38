const formulaStart = /^'*[=+\-@\t\r]/;

/**
 * A field of a CSV file that a spreadsheet takes for a text, never for a formula: an apostrophe before the characters that
 * formulas start with. {@link withoutFormulaGuard} reverses it.
 */
export function withFormulaGuard(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** The text of a field without the apostrophe that keeps spreadsheets from reading it as a formula. */
export function withoutFormulaGuard(field: string): string {
  return field.startsWith("'") && formulaStart.test(field) ? field.slice(1) : field;
}

/** A line of a CSV file (RFC 4180) with its line end. */
export function csvLine(fields: readonly string[], delimiter = ','): string {
  return `${fields.map((field) => (/[",;|\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(delimiter)}\r\n`;
}

import { deflateRawSync } from 'node:zlib';

interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** The size that the file states, if it lies. */
  readonly says?: number;
}

/** A ZIP file with these entries. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, says = content.length } of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(says, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(says, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** A number in a format, or the error of a formula. */
export type FormattedCell = { readonly number: number; readonly format: string } | { readonly error: string };
export type SheetCell = string | number | boolean | null | FormattedCell;

const xmlText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const letterOf = (column: number) => String.fromCharCode(65 + column);

/** A workbook with one sheet of up to 26 columns; empty rows are left out, as spreadsheets do. */
export function workbookFile(
  rows: readonly (readonly SheetCell[])[],
  { merged = [] }: { readonly merged?: readonly string[] } = {},
): Buffer {
  const strings: string[] = [];
  const formats: string[] = [];
  const indexIn = (list: string[], text: string) => (list.includes(text) ? list.indexOf(text) : list.push(text) - 1);
  const cellOf = (cell: SheetCell, place: string) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${indexIn(strings, cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`;
    if ('error' in cell) return `<c r="${place}" t="e"><f>1/0</f><v>${cell.error}</v></c>`;
    return `<c r="${place}" s="${indexIn(formats, cell.format) + 1}"><v>${cell.number}</v></c>`;
  };
  const sheet = rows.map((cells, row) =>
    cells.length === 0
      ? ''
      : `<row r="${row + 1}">${cells.map((cell, column) => cellOf(cell, `${letterOf(column)}${row + 1}`)).join('')}</row>`,
  );
  const office = 'http://schemas.openxmlformats.org';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const main = `xmlns="${office}/spreadsheetml/2006/main"`;
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships>${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="r"><sheets><sheet name="Polls" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('r3', 'styles', 'styles.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheet.join('')}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings.map((text) => `<si><t xml:space="preserve">${xmlText(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${formats.map((format, index) => `<numFmt numFmtId="${170 + index}" formatCode="${xmlText(format)}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${170 + index}"/>`).join('')}</cellXfs></styleSheet>`,
  };
  return zipFile(Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(content) })));
}

/** A date and time as a cell that shows the month first. */
export const dateCell = (iso: string): FormattedCell => ({
  number: Date.parse(iso) / 86_400_000 + 25_569,
  format: 'm/d/yyyy h:mm',
});

import { posix } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import sax from 'sax';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { numberCell, numberedFormat } from './cell-text.ts';
import type { Cell } from './cell-text.ts';
import { workbookBytes, workbookColumns } from './workbook-limits.ts';

/** Characters that a cell can have, in Excel as well. */
const cellCharacters = 32_767;

/** The parts of a workbook say that they unpack to more than may be read, or a cell has more than one can. */
export class WorkbookTooLarge extends Error {
  override readonly name = 'WorkbookTooLarge';
}

/** A row that has values, with its number from 1; cells end with the last one that has text. */
export interface WorkbookRow {
  readonly row: number;
  readonly cells: readonly Cell[];
}

/**
 * The rows of the first sheet that is not hidden. A merged cell has its value in each of its rows. Throws
 * {@link WorkbookTooLarge}, and other errors for a file that is damaged or no workbook.
 */
export async function* workbookRows(file: Buffer): AsyncGenerator<WorkbookRow> {
  const parts = await Parts.open(file);
  const workbook = (await parts.related('', 'officeDocument'))[0]?.path ?? 'xl/workbook.xml';
  const { sheet, is1904 } = await firstSheet(parts, workbook);
  const [strings] = await parts.related(workbook, 'sharedStrings');
  const [styles] = await parts.related(workbook, 'styles');
  const look: Look = {
    strings: strings ? await sharedStrings(parts, strings.path) : [],
    formats: styles ? await cellFormats(parts, styles.path) : [],
    is1904,
  };
  yield* sheetRows(parts, sheet, look, await mergedCells(parts, sheet));
}

/** What cells refer to. */
interface Look {
  readonly strings: readonly string[];
  /** The pattern of each style. */
  readonly formats: readonly string[];
  readonly is1904: boolean;
}

/** The files in a workbook. */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(file: Buffer): Promise<Parts> {
    const zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false });
    const entries = new Map<string, Entry>();
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      // Reading stops with an error where a part is longer than it says.
      if ((bytes += entry.uncompressedSize) > workbookBytes) throw new WorkbookTooLarge();
      entries.set(entry.fileName, entry);
    }
    return new Parts(zip, entries);
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  /** The text of a part, in chunks. */
  async *text(path: string): AsyncGenerator<string> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw new Error(`No part ${path}`);
    const decoder = new StringDecoder('utf8');
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) yield decoder.write(chunk as Buffer);
    yield decoder.end();
  }

  /** The parts that a part, or '' for the whole workbook, refers to with this type. */
  async related(path: string, type: string): Promise<{ id: string; path: string }[]> {
    const folder = posix.dirname(path);
    const relations = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
    const found: { id: string; path: string }[] = [];
    if (!this.has(relations)) return found;
    await readXml(this.text(relations), {
      open(name, { Id = '', Type = '', Target = '' }) {
        if (name !== 'Relationship' || !Type.endsWith(`/${type}`)) return;
        const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
        found.push({ id: Id, path: target });
      },
    });
    return found.filter((one) => this.has(one.path));
  }
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** Receives what is read of an XML text; names are without their prefixes. */
interface XmlHandlers {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** A parser of an XML text that arrives in chunks. External entities are never resolved, and own ones are errors. */
function xmlParser(handlers: XmlHandlers): sax.SAXParser {
  const parser = sax.parser(true, { position: false });
  const own = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => handlers.open?.(own(name), attributes as Attributes);
  parser.onclosetag = (name) => handlers.close?.(own(name));
  parser.ontext = (text) => handlers.text?.(text);
  parser.oncdata = (text) => handlers.text?.(text);
  return parser;
}

async function readXml(chunks: AsyncIterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = xmlParser(handlers);
  for await (const chunk of chunks) parser.write(chunk);
  parser.close();
}

async function firstSheet(parts: Parts, workbook: string): Promise<{ sheet: string; is1904: boolean }> {
  const sheets: { id: string; isHidden: boolean }[] = [];
  let is1904 = false;
  await readXml(parts.text(workbook), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      sheets.push({ id, isHidden: (attributes.state ?? 'visible') !== 'visible' });
    },
  });
  const worksheets = new Map((await parts.related(workbook, 'worksheet')).map(({ id, path }) => [id, path]));
  const readable = sheets.filter(({ id }) => worksheets.has(id));
  const sheet = worksheets.get((readable.find(({ isHidden }) => !isHidden) ?? readable[0])?.id ?? '');
  if (sheet === undefined) throw new Error('No worksheet');
  return { sheet, is1904 };
}

/** Collects the text of a string, which may be in several runs; without the readings of East Asian characters. */
class StringCollector {
  #text = '';
  #isText = false;
  #isReading = false;

  open(name: string): void {
    if (name === 'rPh') this.#isReading = true;
    else if (name === 't') this.#isText = !this.#isReading;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isReading = false;
    else if (name === 't') this.#isText = false;
  }

  add(text: string): void {
    if (this.#isText) this.#text += text;
    if (this.#text.length > cellCharacters) throw new WorkbookTooLarge();
  }

  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    return text;
  }
}

/** Characters that XML can’t have are written as _x000D_. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

async function sharedStrings(parts: Parts, path: string): Promise<string[]> {
  const strings: string[] = [];
  const collector = new StringCollector();
  await readXml(parts.text(path), {
    open: (name) => collector.open(name),
    close(name) {
      if (name === 'si') strings.push(collector.take());
      else collector.close(name);
    },
    text: (text) => collector.add(text),
  });
  return strings;
}

async function cellFormats(parts: Parts, path: string): Promise<string[]> {
  const own = new Map<string, string>();
  const formats: string[] = [];
  let isCellStyle = false;
  await readXml(parts.text(path), {
    open(name, { numFmtId = '0', formatCode }) {
      if (name === 'numFmt' && formatCode !== undefined) own.set(numFmtId, formatCode);
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) formats.push(own.get(numFmtId) ?? numberedFormat(Number(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formats;
}

interface MergedCell {
  readonly column: number;
  readonly first: number;
  readonly last: number;
}

/** Merged cells of several rows, by their first row. They stand after the rows, so the sheet is searched for them first. */
async function mergedCells(parts: Parts, sheet: string): Promise<Map<number, MergedCell[]>> {
  const pattern = /<(?:\w+:)?mergeCell\s[^<>]*?\bref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g;
  const merged = new Map<number, MergedCell[]>();
  let tail = '';
  for await (const chunk of parts.text(sheet)) {
    const text = tail + chunk;
    for (const [, letters = '', first, last] of text.matchAll(pattern)) {
      const cell = { column: columnOf(letters), first: Number(first), last: Number(last) };
      if (cell.last === cell.first || cell.column >= workbookColumns) continue;
      const together = merged.get(cell.first);
      if (together) together.push(cell);
      else merged.set(cell.first, [cell]);
    }
    const open = text.lastIndexOf('<');
    // A tag that ends in the next chunk.
    tail = open === -1 || text.includes('>', open) ? '' : text.slice(open).slice(0, 1000);
  }
  return merged;
}

/** The number of a column, from 0, by its letters. */
const columnOf = (letters: string) =>
  Array.from(letters).reduce((column, letter) => column * 26 + (letter.charCodeAt(0) - 64), 0) - 1;

async function* sheetRows(
  parts: Parts,
  sheet: string,
  look: Look,
  merged: ReadonlyMap<number, readonly MergedCell[]>,
): AsyncGenerator<WorkbookRow> {
  const done: WorkbookRow[] = [];
  const spread = new MergedValues(merged);
  const collector = new StringCollector();
  let row = 0;
  let column = 0;
  let cells: Cell[] = [];
  let type = 'n';
  let style = 0;
  let value = '';
  let isValue = false;
  const parser = xmlParser({
    open(name, { r = '', t = 'n', s = '0' }) {
      if (name === 'row') {
        row = r === '' ? row + 1 : Number(r);
        column = -1;
        cells = [];
      } else if (name === 'c') {
        const letters = /^[A-Z]{1,3}/.exec(r)?.[0];
        column = letters === undefined ? column + 1 : columnOf(letters);
        [type, style, value] = [t, Number(s), ''];
      } else if (name === 'v') isValue = true;
      else collector.open(name);
    },
    close(name) {
      if (name === 'v') isValue = false;
      else if (name === 'c') {
        const text = collector.take();
        if (value.length > cellCharacters) throw new WorkbookTooLarge();
        if (column < workbookColumns) cells[column] = type === 'inlineStr' ? text : cellOf(type, value, style, look);
      } else if (name === 'row') {
        const filled = Array.from(cells, (cell) => cell ?? '');
        const hasValues = filled.some((cell) => cell !== '');
        spread.fill(row, filled);
        while (filled.at(-1) === '') filled.pop();
        // Merged cells alone don’t make a row: they may span all rows of a sheet.
        if (hasValues) done.push({ row, cells: filled });
      } else collector.close(name);
    },
    text(text) {
      if (isValue) value += text;
      else collector.add(text);
    },
  });
  for await (const chunk of parts.text(sheet)) {
    parser.write(chunk);
    yield* done.splice(0);
  }
  parser.close();
  yield* done;
}

function cellOf(type: string, value: string, style: number, { strings, formats, is1904 }: Look): Cell {
  switch (type) {
    case 's': {
      const text = strings[Number(value)];
      if (text === undefined && value !== '') throw new Error(`No string ${value}`);
      return text ?? '';
    }
    case 'b':
      return value === '' ? '' : value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    case 'n':
      return numberCell(value, formats[style] ?? 'General', is1904);
    // Errors as their names, texts of formulas, and dates in ISO 8601.
    default:
      return unescaped(value);
  }
}

/** Gives the rows of merged cells the value of their first row. Columns stay apart: a title is not the name of each. */
class MergedValues {
  readonly #merged: ReadonlyMap<number, readonly MergedCell[]>;
  readonly #current = new Map<number, { readonly last: number; readonly cell: Cell }>();

  constructor(merged: ReadonlyMap<number, readonly MergedCell[]>) {
    this.#merged = merged;
  }

  fill(row: number, cells: Cell[]): void {
    for (const [column, { last, cell }] of this.#current) {
      if (row > last) this.#current.delete(column);
      else if ((cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('');
        cells[column] = cell;
      }
    }
    for (const { column, last } of this.#merged.get(row) ?? []) {
      const cell = cells[column] ?? '';
      if (cell !== '') this.#current.set(column, { last, cell });
    }
  }
}

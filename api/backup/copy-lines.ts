import { hash } from 'node:crypto';

/** How the values of a column are written on both databases; nothing else is in the schema. */
export type ColumnKind = 'text' | 'integer' | 'boolean' | 'binary' | 'uuid';

/** A table and the columns that can be written: those that the database computes are left out. */
export interface TableLayout {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[];
}

/** What a row's value is bound as in SQLite. */
export type BoundValue = string | number | Buffer | null;

const [newline, tab, backslash] = [10, 9, 92];

/** The characters that COPY’s text format escapes, by the letter after the backslash. */
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** Regroups the chunks of a stream so that each ends where a line ends. */
export async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) rest.push(chunk);
    else {
      yield rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)]);
      rest = end < chunk.length ? [chunk.subarray(end)] : [];
    }
  }
  if (rest.length > 0) throw new Error('The last line of a COPY has no end.');
}

/** The lines of a chunk that ends where a line ends, each without its line break. */
export function* linesIn(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length;) {
    const end = chunk.indexOf(newline, from);
    yield chunk.subarray(from, end);
    from = end + 1;
  }
}

/** The number of rows of a table and a checksum that does not depend on their order: the sum of the rows’ digests. */
export class RowChecksum {
  rows = 0;
  readonly #sum = new Uint32Array(4);

  /** Adds the rows of a chunk that ends where a line ends. */
  add(chunk: Buffer): void {
    for (const line of linesIn(chunk)) {
      // Against accidents, not attackers: the fastest digest that Node has.
      const digest = hash('sha1', line, 'buffer');
      for (let n = 0; n < 4; n++) this.#sum[n] = this.#sum[n]! + digest.readUInt32LE(4 * n);
      this.rows += 1;
    }
  }

  equals(other: RowChecksum): boolean {
    return this.rows === other.rows && this.#sum.every((word, n) => word === other.#sum[n]);
  }
}

/** Appends the values of a line in COPY’s text format, as SQLite takes them. */
export function appendValues(values: BoundValue[], line: Buffer, columns: TableLayout['columns']): void {
  let from = 0;
  for (const { kind } of columns) {
    const found = line.indexOf(tab, from);
    const end = found === -1 ? line.length : found;
    values.push(valueOf(line, from, end, kind));
    from = end + 1;
  }
  if (from !== line.length + 1) throw new Error('A line of a COPY has another number of values than the table.');
}

function valueOf(line: Buffer, from: number, end: number, kind: ColumnKind): BoundValue {
  const escape = line[from] === backslash && end > from;
  if (escape && end === from + 2 && line[from + 1] === 78 /* N */) return null;
  // Integers stay texts, which the column turns into 64 bits without rounding.
  if (kind === 'integer') return line.toString('latin1', from, end);
  if (kind === 'boolean') return line[from] === 116 /* t */ ? 1 : 0;
  // 16 bytes as 32 digits in five groups.
  if (kind === 'uuid') return Buffer.from(line.toString('latin1', from, end).replaceAll('-', ''), 'hex');
  // The prefix is \\x, its backslash escaped.
  if (kind === 'binary') return Buffer.from(line.toString('latin1', from + 3, end), 'hex');
  const text = line.toString('utf8', from, end);
  return text.includes('\\') ? text.replace(/\\(.)/g, (_: string, letter: string) => escapes[letter] ?? letter) : text;
}

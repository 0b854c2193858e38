import { parse } from 'csv-parse/sync';

/** One record of a CSV file; `fields` is null where the quotes are broken. */
export interface CsvRecord {
  /** Physical line on which the record starts, counted from 1. */
  readonly line: number;
  readonly fields: readonly string[] | null;
}

/**
 * The records of a CSV text (RFC 4180, comma, strict quotes, LF or CRLF), in portions. Blank lines are left out
 * and still counted; CRLF inside a quoted field becomes LF. A broken record does not harm the ones around it,
 * unless a quote stays open: then everything up to the end is one broken record. Record 021 says why the text
 * is cut here before csv-parse reads it.
 */
export async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord[]> {
  const cutter = new RecordCutter();
  for await (const chunk of chunks) {
    const cut = cutter.add(chunk);
    if (cut.length > 0) yield readFields(cut);
  }
  const rest = cutter.end();
  if (rest.length > 0) yield readFields(rest);
}

interface CutRecord {
  readonly line: number;
  readonly text: string;
}

/** Cuts a text that arrives in pieces into records, by nothing but line ends and quotes. */
class RecordCutter {
  /** Pieces of the line that has not ended yet. */
  #tail: string[] = [];
  /** Finished lines of the record that has not ended yet. */
  #lines: string[] = [];
  #insideQuotes = false;
  #line = 0;

  add(chunk: string): CutRecord[] {
    const done: CutRecord[] = [];
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      this.#tail.push(chunk.slice(from, end));
      this.#endLine(done);
      from = end + 1;
    }
    if (from < chunk.length) this.#tail.push(chunk.slice(from));
    return done;
  }

  end(): CutRecord[] {
    const done: CutRecord[] = [];
    if (this.#tail.length > 0) this.#endLine(done);
    // A quote that is still open: what follows it is one record, and csv-parse will say that it is broken.
    if (this.#lines.length > 0) this.#endRecord(done);
    return done;
  }

  #endLine(done: CutRecord[]): void {
    const whole = this.#tail.length === 1 ? (this.#tail[0] ?? '') : this.#tail.join('');
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    this.#tail = [];
    this.#line += 1;
    this.#insideQuotes = endsInsideQuotes(line, this.#insideQuotes);
    this.#lines.push(line);
    if (!this.#insideQuotes) this.#endRecord(done);
  }

  #endRecord(done: CutRecord[]): void {
    const text = this.#lines.length === 1 ? (this.#lines[0] ?? '') : this.#lines.join('\n');
    const line = this.#line - this.#lines.length + 1;
    this.#lines = [];
    if (text.trim() !== '') done.push({ line, text });
  }
}

/** Whether a quoted field is open at the end of a line. Only a quote at the start of a field opens one. */
function endsInsideQuotes(line: string, insideBefore: boolean): boolean {
  let inside = insideBefore;
  let at = 0;
  for (;;) {
    const quote = line.indexOf('"', at);
    if (quote === -1) return inside;
    at = quote + 1;
    if (!inside) inside = quote === 0 || line[quote - 1] === ',';
    else if (line[at] === '"') at += 1;
    else inside = false;
  }
}

function readFields(records: readonly CutRecord[]): CsvRecord[] {
  // One call for many records is several times faster; only a portion with a broken record is read one by one.
  const together = strictFields(records.map(({ text }) => text).join('\n'));
  if (together?.length === records.length)
    return records.map(({ line }, index) => ({ line, fields: together[index] ?? null }));
  return records.map(({ line, text }) => {
    const alone = strictFields(text);
    return { line, fields: alone?.length === 1 ? (alone[0] ?? null) : null };
  });
}

function strictFields(text: string): string[][] | null {
  try {
    return parse(text, { record_delimiter: '\n', relax_column_count: true });
  } catch {
    return null;
  }
}

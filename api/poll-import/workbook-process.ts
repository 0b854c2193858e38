/**
 * Reads a workbook in a process of its own, whose memory is limited: bytes of the file on stdin, rows of its first sheet as
 * lines of JSON on stdout. See workbook.ts.
 */
import { once } from 'node:events';
import { streamXlsxRows } from 'hucre/xlsx';
import * as limits from '#contract/limits.ts';
import { unpackedBytes, workbookBytes, workbookExits } from './workbook-size.ts';

/** Characters that are written at once. */
const chunkChars = 64 * 1024;

const file = Buffer.concat(await process.stdin.toArray());
const bytes = unpackedBytes(file);
if (!(bytes <= workbookBytes)) process.exit(bytes > workbookBytes ? workbookExits.tooLarge : workbookExits.invalid);

let rows = 0;
let lines = '';
try {
  for await (const { index, values } of streamXlsxRows(file)) {
    const cells = values.map(textOf);
    while (cells.at(-1) === '') cells.pop();
    if (cells.length === 0) continue;
    lines += `${JSON.stringify([index + 1, ...cells])}\n`;
    // The reader of the rows refuses the file when it gets this one.
    if ((rows += 1) > limits.importRows + 1) break;
    if (lines.length < chunkChars) continue;
    if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
    lines = '';
  }
} catch {
  process.exit(workbookExits.invalid);
}
process.stdout.write(lines);

/** A cell as it would be in a CSV file; dates as local ISO 8601, because cells have no time zone. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    const [day = '', time = ''] = new Date(Math.round(value.getTime() / 1000) * 1000).toISOString().split('T');
    return time.startsWith('00:00:00') ? day : `${day}T${time.slice(0, 8)}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : '';
}

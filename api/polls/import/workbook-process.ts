/**
 * Reads a workbook in a process of its own, whose memory is limited: bytes of the file on stdin, rows of its first sheet as
 * lines of JSON on stdout. See workbook.ts.
 */
import { once } from 'node:events';
import { headerLineMost } from './import-settings.contract.ts';
import * as limits from '#contract/limits.ts';
import { workbookExits } from './workbook-limits.ts';
import { WorkbookTooLarge, workbookRows } from './workbook-reader.ts';

/** Characters that are written at once. */
const chunkChars = 64 * 1024;

const file = Buffer.concat(await process.stdin.toArray());

let rows = 0;
let lines = '';
try {
  for await (const { row, cells } of workbookRows(file)) {
    lines += `${JSON.stringify([row, ...cells])}\n`;
    // The reader of the rows refuses the file when it gets so many.
    if ((rows += 1) > limits.importRows + headerLineMost) break;
    if (lines.length < chunkChars) continue;
    if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
    lines = '';
  }
} catch (error) {
  process.exit(error instanceof WorkbookTooLarge ? workbookExits.tooLarge : workbookExits.invalid);
}
process.stdout.write(lines);

import { describe, expect, test } from 'vitest';
import { dateCell, workbookFile, zipFile } from '#api/testing/workbook-file.ts';
import type { SheetCell } from '#api/testing/workbook-file.ts';
import { WorkbookTooLarge, workbookRows } from './workbook-reader.ts';

const read = async (file: Buffer) => {
  const rows = await Array.fromAsync(workbookRows(file));
  return rows.map(({ row, cells }) => [row, ...cells]);
};
const readRow = async (cells: readonly SheetCell[]) => (await read(workbookFile([cells])))[0]?.slice(1);

describe('a cell of a workbook', () => {
  test('arrives as it is shown: percentages, leading zeros, money, times, and days', async () => {
    const number = (value: number, format: string) => ({ number: value, format });
    const cells = await readRow([
      ...[number(0.25, '0%'), number(7, '000'), number(1000, '$#,##0'), number(0.375, 'hh:mm'), number(1.5, '[h]:mm')],
      ...[number(46348, 'd-mmm'), number(1000, '_($* #,##0.00_)'), number(5, '[$€-407] #,##0.00')],
    ]);
    const shown = cells?.map((cell) => (typeof cell === 'object' ? cell[0] : cell));
    expect(shown).toEqual(['25%', '007', '$1,000', '09:00', '36:00', '22-Nov', '$1,000.00', '€ 5,00']);
  });

  test('keeps its value beside what it shows, for columns with dates and numbers', async () => {
    expect(await readRow([dateCell('2026-11-22T09:30:00Z'), { number: 1234, format: '#,##0' }, 46348])).toEqual([
      ...[
        ['11/22/2026 9:30', '2026-11-22T09:30:00'],
        ['1,234', '1234'],
      ],
      '46348',
    ]);
  });

  test('without a format is its number, without digits that come from calculation', async () => {
    expect(await readRow([0.1 + 0.2, 1_234_567_890_123, true, 'a & b <c>'])).toEqual([
      ...['0.3', '1234567890123', 'TRUE', 'a & b <c>'],
    ]);
  });

  test('that is a failed formula arrives as its error', async () =>
    expect(await readRow([{ error: '#DIV/0!' }])).toEqual(['#DIV/0!']));

  test('with a format that can’t be understood is its number', async () =>
    expect(await readRow([{ number: 3, format: 'bad [[' }])).toEqual(['3']));

  test('that is merged has its value in each of its rows, but not in other columns or in rows without values', async () => {
    const rows = [['Title', null], ['Sport', 'a'], [null, 'b'], [], [null, 'c'], [null, 'd']];
    expect(await read(workbookFile(rows, { merged: ['A1:B1', 'A2:A5'] }))).toEqual([
      ...[
        [1, 'Title'],
        [2, 'Sport', 'a'],
        [3, 'Sport', 'b'],
        [5, 'Sport', 'c'],
        [6, '', 'd'],
      ],
    ]);
    const whole = await read(
      workbookFile(
        [
          ['x', 'a'],
          ['', 'b'],
        ],
        { merged: ['A1:A1048576'] },
      ),
    );
    expect(whole).toEqual([
      [1, 'x', 'a'],
      [2, 'x', 'b'],
    ]);
  });
});

test('a workbook that says it unpacks to more than 64 MB is not unpacked', async () => {
  const huge = zipFile([{ name: 'xl/worksheets/sheet1.xml', content: Buffer.alloc(10), says: 65 * 1024 * 1024 }]);
  await expect(read(huge)).rejects.toThrow(WorkbookTooLarge);
});

test('entities that a workbook declares are not expanded', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><Relationships>&b;</Relationships>';
  await expect(read(zipFile([{ name: '_rels/.rels', content: Buffer.from(bomb) }]))).rejects.toThrow('entity');
});

import { expect, test } from 'vitest';
import { workbookTurn } from './workbook.ts';

test('workbooks are read one at a time, and beyond five at once they are refused', async () => {
  const begun: number[] = [];
  const turns = Array.from({ length: 5 }, async (_, number) => {
    const end = await workbookTurn();
    begun.push(number);
    return end;
  });
  await expect(workbookTurn()).rejects.toMatchObject({ code: 'OVERLOADED' });
  for (const [number, turn] of turns.entries()) {
    const end = await turn;
    expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, number + 1));
    end();
  }
  (await workbookTurn())();
});

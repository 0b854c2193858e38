import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { csvRecords } from './csv-records.ts';

async function recordsOf(text: string, size = text.length) {
  function* chunks() {
    for (let from = 0; from < text.length; from += Math.max(1, size)) yield text.slice(from, from + size);
  }
  const records = [];
  for await (const some of csvRecords(Readable.from(chunks()))) records.push(...some);
  return records.map(({ line, fields }) => [line, fields]);
}

describe('lines of a file', () => {
  test('a record names the physical line on which it starts, after quoted line breaks and blank lines', async () => {
    const text = 'a,b\n\n"one\ntwo\n\nfour",x\n   \n\nlast,y\n\n';
    expect(await recordsOf(text)).toEqual([
      [1, ['a', 'b']],
      [3, ['one\ntwo\n\nfour', 'x']],
      [9, ['last', 'y']],
    ]);
  });

  test('LF and CRLF may be mixed, and no value keeps a carriage return', async () => {
    expect(await recordsOf('a,b\r\n"1\r\n2",x\r\n3,4\n5,6')).toEqual([
      [1, ['a', 'b']],
      [2, ['1\n2', 'x']],
      [4, ['3', '4']],
      [5, ['5', '6']],
    ]);
  });

  test('the pieces in which a file arrives make no difference', async () => {
    const text = 'id,t\r\n1,"a ""quoted"", text"\r\n\r\n2,"x\r\n\r\ny"\n3,plain\n4,"é🙂"\r\n';
    const whole = await recordsOf(text);
    for (let size = 1; size <= 12; size += 1) expect(await recordsOf(text, size)).toEqual(whole);
    expect(whole.map(([line]) => line)).toEqual([1, 2, 4, 7, 8]);
  });
});

describe('quotes', () => {
  test('quoted fields hold commas, quotes and nothing at all', async () => {
    expect(await recordsOf('"a,b","say ""hi""","",""""\n')).toEqual([[1, ['a,b', 'say "hi"', '', '"']]]);
  });

  test.each([
    ['text after a closing quote', '"half" quoted,x'],
    ['a quote inside an unquoted field', 'a 5" pipe,x'],
    ['a blank before an opening quote', ' "x",y'],
    ['a blank after a closing quote', '"x" ,y'],
  ])('%s breaks its own row and no other', async (_, broken) => {
    expect(await recordsOf(`1,"good, one"\n${broken}\n2,"good, too"\n3,x\n`)).toEqual([
      [1, ['1', 'good, one']],
      [2, null],
      [3, ['2', 'good, too']],
      [4, ['3', 'x']],
    ]);
  });

  test('a quote that is never closed makes one broken record of everything after it', async () => {
    expect(await recordsOf('1,x\n2,"open\n3,y\n\n4,z')).toEqual([
      [1, ['1', 'x']],
      [2, null],
    ]);
  });

  test('a forgotten closing quote spoils no more than the rows up to the next quote', async () => {
    expect(await recordsOf('1,x\n2,"open\n3,"y"\n4,"z"\n')).toEqual([
      [1, ['1', 'x']],
      [2, null],
      [4, ['4', 'z']],
    ]);
  });
});

test('rows keep the number of fields that they have', async () => {
  expect(await recordsOf('a,b,c\n1\n1,2,3,4\n,,\n')).toEqual([
    [1, ['a', 'b', 'c']],
    [2, ['1']],
    [3, ['1', '2', '3', '4']],
    [4, ['', '', '']],
  ]);
});

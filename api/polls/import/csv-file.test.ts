import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { csvRecords, decodeText } from './csv-file.ts';
import { FileRefused } from './import-problem.ts';

async function textOf(bytes: Uint8Array, size = bytes.byteLength): Promise<string> {
  function* chunks() {
    for (let from = 0; from < bytes.byteLength; from += Math.max(1, size)) yield bytes.subarray(from, from + size);
  }
  let text = '';
  for await (const piece of decodeText(Readable.from(chunks()))) text += piece;
  return text;
}

async function refusalOf(bytes: Uint8Array, size?: number): Promise<string | undefined> {
  const error: unknown = await textOf(bytes, size).catch((thrown: unknown) => thrown);
  return error instanceof FileRefused ? error.errors[0]?.code : undefined;
}

const sample = 'id,naïve,雪,🏴󠁧󠁢󠁳󠁣󠁴󠁿\n';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('supported encodings', () => {
  test.each([
    ['UTF-8', Buffer.from(sample)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${sample}`)],
    ['UTF-16 little endian with its mark', Buffer.from(`\ufeff${sample}`, 'utf16le')],
    ['UTF-16 big endian with its mark', bigEndian(`\ufeff${sample}`)],
  ])('[D9.5] %s, in chunks of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await textOf(bytes, size)).toBe(sample);
  });

  test('a file of one or two letters', async () => {
    expect(await textOf(Buffer.from('ab'))).toBe('ab');
  });
});

describe('refused files', () => {
  test('no bytes', async () => expect(await refusalOf(new Uint8Array())).toBe('empty_file'));

  test.each([
    ['Windows-1252', Buffer.from('caf\xe9', 'latin1')],
    ['a wrong byte at the very end', Buffer.concat([Buffer.alloc(200_000, 'a'), Buffer.from([0xe9])])],
    ['half a character at the end', Buffer.from('é').subarray(0, 1)],
    ['half a UTF-16 unit at the end', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5)],
    ['half of a UTF-16 pair', Buffer.from('\ufeff\ud83d,', 'utf16le')],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('%s, about its encoding', async (_, bytes) => {
    expect(await refusalOf(bytes)).toBe('encoding');
    expect(await refusalOf(bytes, 7)).toBe('encoding');
  });

  test('[D9.6] one byte more than an import accepts', async () => {
    expect(await refusalOf(Buffer.alloc(limits.importBytes, 'a'), 1 << 20)).toBeUndefined();
    expect(await refusalOf(Buffer.alloc(limits.importBytes + 1, 'a'), 1 << 20)).toBe('file_too_large');
  });
});

async function recordsOf(text: string, size = text.length) {
  function* chunks() {
    for (let from = 0; from < text.length; from += Math.max(1, size)) yield text.slice(from, from + size);
  }
  const records = [];
  for await (const some of csvRecords(Readable.from(chunks()))) records.push(...some);
  return records.map(({ line, fields }) => [line, fields]);
}

describe('lines of a file', () => {
  test('a record knows its physical line, even after quoted line breaks and blank lines', async () => {
    const text = 'a,b\n\n"one\ntwo\n\nfour",x\n   \n\nlast,y\n\n';
    expect(await recordsOf(text)).toEqual([
      [1, ['a', 'b']],
      [3, ['one\ntwo\n\nfour', 'x']],
      [9, ['last', 'y']],
    ]);
  });

  test('[D9.5] LF and CRLF may be mixed, and no value keeps a carriage return', async () => {
    expect(await recordsOf('a,b\r\n"1\r\n2",x\r\n3,4\n5,6')).toEqual([
      [1, ['a', 'b']],
      [2, ['1\n2', 'x']],
      [4, ['3', '4']],
      [5, ['5', '6']],
    ]);
  });

  test('the chunks in which a file arrives make no difference', async () => {
    const text = 'id,t\r\n1,"a ""quoted"", text"\r\n\r\n2,"x\r\n\r\ny"\n3,plain\n4,"é🙂"\r\n';
    const whole = await recordsOf(text);
    for (let size = 1; size <= 12; size += 1) expect(await recordsOf(text, size)).toEqual(whole);
    expect(whole.map(([line]) => line)).toEqual([1, 2, 4, 7, 8]);
  });
});

describe('quotes', () => {
  test('quoted fields may contain commas and quotes, or be empty', async () => {
    expect(await recordsOf('"a,b","say ""hi""","",""""\n')).toEqual([[1, ['a,b', 'say "hi"', '', '"']]]);
  });

  test.each([
    ['text after a closing quote', '"half" quoted,x'],
    ['a quote inside an unquoted field', 'a 5" pipe,x'],
    ['a blank before an opening quote', ' "x",y'],
    ['a blank after a closing quote', '"x" ,y'],
  ])('%s breaks only its own row', async (_, broken) => {
    expect(await recordsOf(`1,"good, one"\n${broken}\n2,"good, too"\n3,x\n`)).toEqual([
      [1, ['1', 'good, one']],
      [2, null],
      [3, ['2', 'good, too']],
      [4, ['3', 'x']],
    ]);
  });

  test('an unclosed quote makes everything after it one broken record', async () => {
    expect(await recordsOf('1,x\n2,"open\n3,y\n\n4,z')).toEqual([
      [1, ['1', 'x']],
      [2, null],
    ]);
  });

  test('a missing closing quote breaks only the rows up to the next quote', async () => {
    expect(await recordsOf('1,x\n2,"open\n3,"y"\n4,"z"\n')).toEqual([
      [1, ['1', 'x']],
      [2, null],
      [4, ['4', 'z']],
    ]);
  });
});

test('rows keep their number of fields', async () => {
  expect(await recordsOf('a,b,c\n1\n1,2,3,4\n,,\n')).toEqual([
    [1, ['a', 'b', 'c']],
    [2, ['1']],
    [3, ['1', '2', '3', '4']],
    [4, ['', '', '']],
  ]);
});

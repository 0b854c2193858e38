import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { FileRefused } from './import-problem.ts';
import { decodeText } from './text-decoding.ts';

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

describe('encodings that are read', () => {
  test.each([
    ['UTF-8', Buffer.from(sample)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${sample}`)],
    ['UTF-16 little endian with its mark', Buffer.from(`\ufeff${sample}`, 'utf16le')],
    ['UTF-16 big endian with its mark', bigEndian(`\ufeff${sample}`)],
  ])('%s, in pieces of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await textOf(bytes, size)).toBe(sample);
  });

  test('a file of one or two letters', async () => {
    expect(await textOf(Buffer.from('ab'))).toBe('ab');
  });
});

describe('files that are refused', () => {
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

  test('one byte more than an import takes', async () => {
    expect(await refusalOf(Buffer.alloc(limits.importBytes, 'a'), 1 << 20)).toBeUndefined();
    expect(await refusalOf(Buffer.alloc(limits.importBytes + 1, 'a'), 1 << 20)).toBe('file_too_large');
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { TarDamaged, tarEnd, tarEntries, tarHeader, tarPadding } from './tar.ts';

const files = {
  'manifest.json': '{}',
  'tables/empty.jsonl': '',
  'block.txt': 'x'.repeat(512),
  'more.txt': 'ü'.repeat(700),
};

function archive(): Buffer {
  const pieces = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    return [tarHeader(name, content.length, 1_000_000), content, tarPadding(content.length)];
  });
  return Buffer.concat([...pieces, tarEnd]);
}

/** Reads an archive that arrives in pieces of some length. */
async function read(bytes: Buffer, length: number): Promise<Record<string, string>> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) =>
    bytes.subarray(n * length, (n + 1) * length),
  );
  const found: Record<string, string> = {};
  for await (const { name, content } of tarEntries(Readable.from(pieces)))
    found[name] = Buffer.concat(await Array.fromAsync(content)).toString();
  return found;
}

test('an archive holds its files, in whatever pieces it arrives', async () => {
  for (const length of [7, 512, 100_000]) expect(await read(archive(), length)).toEqual(files);
});

test('the tar of the machine opens it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weathervane-tar-'));
  writeFileSync(join(folder, 'a.tar'), archive());
  execFileSync('tar', ['xf', 'a.tar'], { cwd: folder });
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  rmSync(folder, { recursive: true });
});

test('an archive that was cut off anywhere, or changed in a header, is damaged', async () => {
  const whole = archive();
  for (const end of [0, 300, 512, 700, 2_000, whole.length - 1_024])
    await expect(read(whole.subarray(0, end), 512)).rejects.toThrow(TarDamaged);
  const changed = Buffer.from(whole);
  changed[3]! ^= 1;
  await expect(read(changed, 512)).rejects.toThrow('this is not an archive');
});

test('a file of more than eight gigabytes has its size in its header', async () => {
  const size = 20_000_000_000;
  for await (const entry of tarEntries(Readable.from([tarHeader('database.sqlite', size, 0)]))) {
    expect(entry.size).toBe(size);
    break;
  }
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { Header } from 'tar-stream';
import { afterAll, expect, test } from 'vitest';
import { partOf, unpackBackup, writeBackupFile } from './backup-file.ts';
import type { Manifest } from './backup-file.ts';

const home = mkdtempSync(join(tmpdir(), 'weathervane-tar-'));
afterAll(() => rmSync(home, { recursive: true }));
let folders = 0;
function newFolder(): string {
  const folder = join(home, `${folders++}`);
  mkdirSync(join(folder, 'tables'), { recursive: true });
  return folder;
}

const files: Readonly<Record<string, string>> = {
  'secrets.json': 'x'.repeat(512),
  'tables/empty.jsonl': '',
  'tables/polls.jsonl': 'ü'.repeat(700),
};
const onProgress = () => undefined;
const file = join(home, 'backup.tar.gz');

async function writtenBackup(): Promise<Manifest> {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const manifest: Manifest = {
    ...{ product: 'weathervane', format: 1, version: '1', createdAt: '2026-11-20T00:00:00Z', engine: 'postgres' },
    ...{ migrations: [], counts: {}, sequences: {} },
    parts: await Promise.all(Object.keys(files).map((name) => partOf(folder, name))),
  };
  await writeBackupFile(file, { manifest, folder, onProgress });
  return manifest;
}

/** Writes an archive to the file and unpacks it. */
function unpack(archive: Buffer) {
  writeFileSync(file, gzipSync(archive));
  return unpackBackup(file, { folder: newFolder(), onProgress });
}

const whole = await writtenBackup().then((manifest) => ({ manifest, archive: gunzipSync(readFileSync(file)) }));

test('a backup file unpacks to the files it was packed from', async () => {
  writeFileSync(file, gzipSync(whole.archive));
  const folder = newFolder();
  expect(await unpackBackup(file, { folder, onProgress })).toEqual(whole.manifest);
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});

test('the system’s tar command opens a backup file', () => {
  writeFileSync(file, gzipSync(whole.archive));
  const folder = newFolder();
  execFileSync('tar', ['xzf', file], { cwd: folder });
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});

test('an archive that is truncated anywhere, or changed in a header, is refused', async () => {
  for (const end of [0, 300, 512, 700, 2_000, 3_100]) {
    expect(end).toBeLessThan(whole.archive.length);
    await expect(unpack(whole.archive.subarray(0, end))).rejects.toThrow(/Nothing was changed\./);
  }
  const changed = Buffer.from(whole.archive);
  changed[3]! ^= 1;
  await expect(unpack(changed)).rejects.toThrow('is not a backup');
});

test('an archive with links, extended headers, extra files, or names outside its folder is refused', async () => {
  const entry = async (header: Partial<Header> & { name: string }) => {
    const archive = pack();
    const content = Buffer.from(JSON.stringify(whole.manifest));
    archive.entry({ name: 'manifest.json' }, content);
    if (header.type === 'symlink') archive.entry(header);
    else archive.entry(header, Buffer.from(files['secrets.json']!));
    archive.finalize();
    return buffer(archive as AsyncIterable<Buffer>);
  };
  for (const header of [
    { name: 'secrets.json', type: 'symlink', linkname: '/etc/passwd' } as const,
    { name: 'secrets.json', pax: { comment: 'x' } },
    { name: '../secrets.json' },
    { name: 'tables/unknown.jsonl' },
  ])
    await expect(unpack(await entry(header))).rejects.toThrow(/is damaged: .*doesn’t match its checksum/);
});

test('a manifest larger than a megabyte is refused', async () => {
  const archive = pack();
  archive.entry({ name: 'manifest.json' }, Buffer.alloc(1_100_000, ' '));
  archive.finalize();
  await expect(unpack(await buffer(archive as AsyncIterable<Buffer>))).rejects.toThrow('is not a backup');
});

test('a database of more than eight gigabytes is packed with its size in the header, without extensions', async () => {
  const archive = pack();
  archive.entry({ name: 'database.sqlite', size: 20_000_000_000 });
  const header = await new Promise<Header>((found) => {
    const reader = extract().on('entry', found);
    archive.once('data', (block) => reader.write(block));
  });
  expect([header.size, header.pax]).toEqual([20_000_000_000, null]);
});

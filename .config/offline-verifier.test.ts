import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBase64 } from '#domain/verification/bytes.ts';
import vectors from '#domain/verification/fixtures/vectors.json' with { type: 'json' };
import { verifierKey } from '#domain/verification/note.ts';
import type { SavedPoll } from '#site/verification/load-evidence.ts';
import { bundleVerifier } from './offline-verifier.ts';

const { poll } = vectors;
const trusted = verifierKey(poll.siteOrigin, fromBase64(vectors.keys.publicKey)!);
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verifier-'));
  writeFileSync(join(folder, 'verify.mjs'), await bundleVerifier());
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

const run = (...args: string[]): Promise<Outcome> =>
  new Promise((done) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH } };
    const child = execFile(process.execPath, ['verify.mjs', ...args], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode!, output: stdout + stderr }),
    );
  });

type Published = Pick<typeof poll, 'file' | 'notes' | 'siteEntries' | 'siteNote' | 'publicKey'>;

/** Saves what the page “Recount This Poll” saves; its path. */
function saved(name: string, { file, notes, siteEntries, siteNote, publicKey }: Published): string {
  const content: SavedPoll = {
    format: 'weathervane poll 1',
    poll: poll.paper.poll,
    siteOrigin: poll.siteOrigin,
    keys: [verifierKey(poll.siteOrigin, fromBase64(publicKey)!)],
    paper: poll.paper,
    file,
    checkpoints: notes,
    site: { note: siteNote, entries: siteEntries },
  };
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('The downloadable verifier verifies a poll without packages, and says whose key it used', async () => {
  const { code, output } = await run(saved('good', poll));
  expect(output).toContain('VERIFIED\n');
  expect(output).toMatch(/tea|Tea/);
  expect(output).toContain(trusted);
  expect(code).toBe(0);
  const pinned = await run(saved('good', poll), '--key', trusted);
  expect(pinned.code).toBe(0);
  expect(pinned.output).not.toContain(trusted);
});

const tampered = vectors.tampered.map((one, number) => ({ ...one, number }));

test.each(tampered)('The downloadable verifier finds tampering: $what', async ({ number, expected, input }) => {
  const { code, output } = await run(saved(`tampered-${number}`, input), '--key', trusted);
  expect(output).toContain(`NOT VERIFIED: ${expected}`);
  expect(code).toBe(1);
});

test('The downloadable verifier looks receipts up, and refuses mistyped ones', async () => {
  const file = saved('good', poll);
  const [first] = vectors.receipts.derived;
  const found = await run(file, '--receipt', first!.shown);
  expect(found.output).toContain(`${first!.shown}: Your vote is in the published list, counted for Tea ☕.`);
  const absent = await run(file, '--receipt', '0000-0000-0000-0000-0000-0000-00DV');
  expect(absent.code).toBe(2);
});

test('The downloadable verifier has --help, and exits with 2 for arguments it can’t use', async () => {
  const help = await run('--help');
  expect(help).toMatchObject({ code: 0 });
  expect(help.output).toContain('--key VKEY');
  writeFileSync(join(folder, 'other.json'), '{}');
  for (const args of [[], ['--what'], ['missing.json'], ['other.json'], ['good.json', '--key', 'x'], ['--key']])
    expect((await run(...args)).code, args.join(' ')).toBe(2);
});

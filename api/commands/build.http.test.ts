import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { appliedMigrations, knownMigrations } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { publishingOverview } from '#api/publishing/overview.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { currentReleaseId, releaseFolder, switchTo, writeFacts } from '#api/publishing/releases.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { leftovers } from '#api/testing/whole-releases.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-build-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Runs "npm run publish" like in a terminal. */
async function publish(url: string, ...words: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('build.ts', import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, ADMIN_PASSWORD: 'only for tests', NODE_ENV: 'test' },
  });
  const said = { output: '', complaint: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.complaint += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** An earlier release. */
async function olderRelease(id: string): Promise<void> {
  await mkdir(join(releaseFolder(dataDir, id), 'server'), { recursive: true });
  const facts = { source: '', pages: 1, bytes: 1, serverDigest: '', serverFrom: id, ownAssets: [] };
  await writeFacts(dataDir, { id, createdAt: '2026-11-01T00:00:00.000Z', ...facts }, { files: {} }, new Map());
  await switchTo(dataDir, id);
}

oneDatabase((open) => {
  test('a failed build keeps the older release and reports why, in the terminal and on the page', async () => {
    const { db, url } = await open();
    await olderRelease('20261101T000000Z-aaaa');
    await seedPolls(db, [{ id: 'odd', closedAt: Date.parse('2026-11-30T00:00:00Z') }]);
    // Like a manual change of the database.
    await db('polls').where({ id: 'odd' }).update({ country_breakdown: '[{"name":"France","percentage":120}]' });
    const { code, output, complaint } = await publish(url);
    expect({ code, output }).toEqual({ code: 1, output: `${publishingTexts.steps.snapshot}\n` });
    expect(complaint).toContain(
      'the published release is unchanged. The report of poll “odd” doesn’t match the contract',
    );
    expect(complaint).toContain('Percentage must be 100 or less. Correct the row in the database.');
    const { builds, releases } = await publishingOverview(db, dataDir);
    expect(builds).toMatchObject([{ status: 'failed', step: 'snapshot' }]);
    expect(complaint).toContain(builds[0]?.error);
    expect(releases).toMatchObject([{ id: '20261101T000000Z-aaaa', current: true }]);
    expect(await leftovers(dataDir)).toEqual([]);
  });

  test('an unwritable folder is reported by name', async () => {
    const { db, url } = await open();
    await olderRelease('20261101T000000Z-aaaa');
    await writeFile(join(dataDir, 'cache'), 'a file where a folder belongs');
    const { code, complaint } = await publish(url);
    expect(code).toBe(1);
    expect(complaint).toContain(`Something in ${dataDir} is not writable:`);
    expect((await publishingOverview(db, dataDir)).builds).toMatchObject([{ status: 'failed' }]);
    expect(await currentReleaseId(dataDir)).toBe('20261101T000000Z-aaaa');
  });

  test(
    'serving an older release needs confirmation, and a pinned release stays until it is unpinned',
    { timeout: 60_000 },
    async () => {
      const { db, url } = await open();
      const [older, newer] = ['20261101T000000Z-aaaa', '20261102T000000Z-bbbb'] as const;
      for (const id of [older, newer]) await olderRelease(id);
      const unasked = await publish(url, '--use', older);
      expect([unasked.code, unasked.complaint]).toEqual([1, `${publishingTexts.useNeedsYes}\n`]);
      expect(await currentReleaseId(dataDir)).toBe(newer);
      expect((await publish(url, '--use', older, '--pin', '--yes')).output).toContain(
        'is live again. It is pinned: no build will replace it until you run npm run build -- --unpin.',
      );
      expect((await publish(url, '--releases')).output).toMatch(new RegExp(`^\\* ${older} .* pinned$`, 'm'));
      const refused = await publish(url);
      expect([refused.code, refused.complaint]).toEqual([1, `${publishingTexts.pinned(older)}\n`]);
      expect(await db('build_jobs')).toEqual([]);
      await writeFile(join(dataDir, 'cache'), 'a file where a folder belongs');
      await publish(url, '--unpin');
      // The build started but could not write.
      expect((await publishingOverview(db, dataDir)).builds).toMatchObject([{ status: 'failed' }]);
      expect((await publish(url, '--unpin')).complaint).toBe(`${publishingTexts.notPinned}\n`);
    },
  );

  test('releases are listed even if the database is down or of an earlier version, which is not migrated', async () => {
    const { db, url } = await open();
    const id = '20261101T000000Z-aaaa';
    await olderRelease(id);
    await db('knex_migrations')
      .where({ name: knownMigrations().at(-1) })
      .del();
    const applied = await appliedMigrations(db);
    const listed = await publish(url, '--releases');
    expect([listed.code, listed.output]).toEqual([0, expect.stringMatching(new RegExp(`^\\* ${id} `))]);
    expect(await appliedMigrations(db)).toEqual(applied);

    const missing = join(dataDir, 'nowhere', 'weathervane.sqlite');
    for (const away of [`sqlite:${missing}`, 'postgres://nobody:x@127.0.0.1:1/none']) {
      const { code, output, complaint } = await publish(away, '--releases');
      expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`^\\* ${id} `))]);
      expect(complaint).toContain('The database could not say whether a release is pinned.');
    }
    expect(existsSync(missing)).toBe(false);
  });

  test('npm run build joins a queued build, and --queued runs only due builds', async () => {
    const { db, url } = await open();
    await requestBuild(db, systemClock, 'a poll closed', 60_000);
    expect(await publish(url, '--queued')).toEqual({ code: 0, output: '', complaint: '' });
    await writeFile(join(dataDir, 'cache'), 'a file where a folder belongs');
    await publish(url);
    const { builds } = await publishingOverview(db, dataDir);
    expect(builds).toMatchObject([{ status: 'failed', reason: 'a poll closed, npm run build' }]);
  });
});

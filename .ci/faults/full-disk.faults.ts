import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#domain/path-of.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { damagedFiles } from '#api/testing/test-builds.ts';
import { smallDisk } from './disks.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import type { Instance } from './instance.ts';
import { refusesVotesAndReads, untilMore } from './checks.ts';
import { operatorPassword, runToEnd } from './instance.ts';
import { call, seconds, until } from './visitors.ts';

/** The disk is full during votes and everything else that writes. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  async run(fault) {
    const line = fault.line('full disk under votes, SQLite');
    // Larger than the write-ahead log may grow (128 MB), so that votes alone don’t fill it again.
    const disk = await smallDisk(join(fault.folder, 'disk'), 320);
    if (!disk) {
      line.shown('skipped: mounting a disk needs root');
      return;
    }
    fault.later(() => disk.remove());
    const instance = await fault.instance('SQLite', { dataDir: join(disk.folder, 'data') });
    await instance.startBoth();

    const visitors = instance.startVoters();
    await pause(400);
    await disk.fill();
    await refusesVotesAndReads(instance, visitors, line);
    const healthIs = (status: number) => async () =>
      (await instance.get(`${instance.apiOrigin}${pathOf('health')}`)).status === status;
    await until('/api/health says ok while votes are refused', 30_000, healthIs(503));
    fault.step('full disk under votes, SQLite');
    await othersSaySo(fault, instance);
    await disk.free();
    line.shown(`votes accepted again ${seconds(await untilMore(visitors))} after space was freed`);
    await instance.untilHealthy();
    await visitors.stop();
    await instance.verify(visitors, line);
    fault.step('full disk under votes, SQLite');
  },
};

/** Expects that other commands report the full disk and leave nothing half-done. */
async function othersSaySo(fault: Fault, instance: Instance): Promise<void> {
  const csv = join(fault.folder, 'polls.csv');
  await writeFile(csv, rows(4_000));
  const backups = join(instance.dataDir, 'backups');
  for (const [command, words] of [
    ['build', []],
    ['import', [csv]],
    ['backup', [backups]],
  ] as const) {
    const line = fault.line(`full disk: npm run ${command}`);
    const { code, output } = await runToEnd(command, words, instance.env);
    line.expect(code === 1, `it exited with ${code}, not 1`);
    line.expect(
      /full|no space|ENOSPC|SQLITE_FULL/i.test(output) && !/\n {4}at /.test(output),
      `it does not report that the disk is full: ${output.slice(-400)}`,
    );
    line.shown(oneLine(output));
    fault.step(`full disk: npm run ${command}`);
  }
  const line = fault.line('full disk: upload of polls');
  const form = new FormData();
  form.append('csvFile', new Blob([rows(20_000)], { type: 'text/csv' }), 'polls.csv');
  const request = new Request(`${instance.origin}/api/polls/bulk-upload`, { method: 'POST', body: form });
  const answer = await call(request.url, {
    method: 'POST',
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      [adminPasswordHeader]: operatorPassword,
    },
    body: Buffer.from(await request.arrayBuffer()),
  });
  line.expect(answer.status === 503, `it returned ${answer.status}: ${answer.body.slice(0, 300)}`);
  line.shown(oneLine(answer.body));
  await nothingHalfDone(instance, line, backups);
  fault.step('full disk: upload of polls');
}

async function nothingHalfDone(instance: Instance, line: Line, backups: string): Promise<void> {
  const broken = damagedFiles(instance.dataDir);
  line.expect(broken.length === 0, `a page is damaged: ${broken[0] ?? ''}`);
  const left = await readdir(backups).catch(() => []);
  line.expect(left.length === 0, `left behind: ${left.join(', ')}`);
  const uploads = await readdir(join(instance.dataDir, 'uploads')).catch(() => []);
  line.expect(uploads.length === 0, `left behind: ${uploads.join(', ')}`);
}

/** A CSV file of closed polls that takes some space. */
function rows(count: number): string {
  const options = '"[{""id"":""a"",""text"":""Yes"",""votes"":1},{""id"":""b"",""text"":""No"",""votes"":2}]"';
  const times = '2025-01-01T00:00:00Z,2025-01-08T00:00:00Z,2025-01-01T00:00:00Z';
  const lines = Array.from(
    { length: count },
    (_, n) => `disk-${n},Question ${n}?,${'A long description. '.repeat(20)},${options},false,${times}`,
  );
  return ['id,question,description,options,is_active,created_at,ends_at,starts_at', ...lines].join('\n');
}

/** The last sentence of a command’s output, for a table cell. */
function oneLine(text: string): string {
  return (text.split('\n').at(-1) ?? '').replaceAll('|', '/').slice(0, 200);
}

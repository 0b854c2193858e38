import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { brokenReleases } from '#api/testing/whole-releases.ts';
import { faultTexts } from './texts.ts';
import { smallDisk } from './disks.ts';
import { refusesVotesAndReads, judge } from './verdict.ts';
import { runToEnd, until } from './running.ts';
import type { Fault, Line, Scenario } from './scenario.ts';
import { operatorPassword } from './stand.ts';
import type { Stand } from './stand.ts';
import { call } from './visitors.ts';

const texts = faultTexts.disk;

/** No space is left: for votes, and for everything else that writes. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  async run(fault) {
    const line = fault.line(texts.full);
    // Larger than the write-ahead log may grow (128 MB), so that votes alone don’t fill it again.
    const disk = await smallDisk(join(fault.folder, 'disk'), 320);
    if (!disk) {
      line.shown(faultTexts.needsRoot);
      return;
    }
    fault.later(() => disk.remove());
    const stand = await fault.stand('SQLite', { dataDir: join(disk.folder, 'data') });
    await stand.startApi('--no-publisher');
    await stand.startSite();
    await stand.untilVoteTaken();

    const visitors = stand.letVote();
    await pause(400);
    await disk.fill();
    await refusesVotesAndReads(stand, visitors, line);
    const healthIs = (status: number) => async () =>
      (await stand.get(`${stand.apiOrigin}${pathOf('health')}`)).status === status;
    await until(texts.healthy, 30_000, healthIs(503));
    fault.step(texts.full);
    await othersSaySo(fault, stand);
    const freed = performance.now();
    await disk.free();
    const before = visitors.acknowledged.length;
    await until(faultTexts.noVoteTaken, 30_000, () => visitors.acknowledged.length > before);
    line.shown(texts.again(performance.now() - freed));
    await stand.untilHealthy();
    await visitors.stop();
    await judge(stand.url, visitors, line);
    fault.step(texts.full);
  },
};

/** What else writes says that there is no room, and leaves nothing half done. */
async function othersSaySo(fault: Fault, stand: Stand): Promise<void> {
  const csv = join(fault.folder, 'polls.csv');
  await writeFile(csv, rows(4_000));
  const backups = join(stand.dataDir, 'backups');
  for (const [command, words] of [
    ['build', []],
    ['import', [csv]],
    ['backup', [backups]],
  ] as const) {
    const line = fault.line(texts.command(command));
    const { code, said } = await runToEnd(command, words, stand.env);
    line.expect(code === 1, texts.code(code));
    line.expect(/full|no space|ENOSPC|SQLITE_FULL/i.test(said) && !/\n {4}at /.test(said), texts.unclear(said));
    line.shown(oneLine(said));
    fault.step(texts.command(command));
  }
  const line = fault.line(texts.upload);
  const form = new FormData();
  form.append('csvFile', new Blob([rows(20_000)], { type: 'text/csv' }), 'polls.csv');
  const request = new Request(`${stand.origin}/api/polls/bulk-upload`, { method: 'POST', body: form });
  const answer = await call(request.url, {
    method: 'POST',
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      [adminPasswordHeader]: operatorPassword,
    },
    body: Buffer.from(await request.arrayBuffer()),
  });
  line.expect(answer.status === 503, texts.answered(answer.status, answer.body));
  line.shown(oneLine(answer.body));
  await nothingHalfDone(stand, line, backups);
  fault.step(texts.upload);
}

async function nothingHalfDone(stand: Stand, line: Line, backups: string): Promise<void> {
  const broken = await brokenReleases(stand.dataDir);
  line.expect(broken.length === 0, faultTexts.kills.brokenRelease(broken[0] ?? ''));
  const left = await readdir(backups).catch(() => []);
  line.expect(left.length === 0, texts.leftOver(left.join(', ')));
  const uploads = await readdir(join(stand.dataDir, 'uploads')).catch(() => []);
  line.expect(uploads.length === 0, texts.leftOver(uploads.join(', ')));
}

/** A file of closed polls that takes some room. */
function rows(count: number): string {
  const options = '"[{""id"":""a"",""text"":""Yes"",""votes"":1},{""id"":""b"",""text"":""No"",""votes"":2}]"';
  const times = '2025-01-01T00:00:00Z,2025-01-08T00:00:00Z,2025-01-01T00:00:00Z';
  const lines = Array.from(
    { length: count },
    (_, n) => `disk-${n},Question ${n}?,${'A long description. '.repeat(20)},${options},false,${times}`,
  );
  return ['id,question,description,options,is_active,created_at,ends_at,starts_at', ...lines].join('\n');
}

/** The last sentence of what a command said, for a cell of a table. */
function oneLine(text: string): string {
  return (text.split('\n').at(-1) ?? '').replaceAll('|', '/').slice(0, 200);
}

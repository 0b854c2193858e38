/**
 * A publisher process for tests that kill it: everything of the real one except Astro. It publishes what is due and ends,
 * and records in a file when each publish starts and ends. FAKE_PAUSE_MS slows down each page; DIES_AT is the number of the
 * operation on files before which it is killed. CODE is the id of its code. EDITS is a poll that it edits after the first page
 * of a build of that code. With STANDS_BY it begins when its standard input ends: loading its modules
 * takes longer than publishing.
 */
import '#api/consequences.ts';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import { fakePublishing } from './fake-renderer.ts';
import { watchDisk } from './watched-disk.ts';

const config = readConfig();
const db = openDatabase(config.databaseUrl);
const note = (word: string) =>
  appendFileSync(join(config.dataDir, 'publishers.log'), `${word} ${process.pid} of ${process.ppid}\n`);

let isPublishing = false;
let poll = process.env.EDITS;
const pages = {
  rendered: [] as string[],
  code: process.env.CODE ?? 'code',
  async before(address: string, code: string) {
    if (poll !== undefined && code === pages.code && address !== `/poll/${poll}`) {
      const edited = poll;
      poll = undefined;
      await editPoll({ db, clock: systemClock }, edited, { summary: `Meanwhile ${pages.code}.` });
    }
    if (!isPublishing) note('begin');
    isPublishing = true;
    await pause(Number(process.env.FAKE_PAUSE_MS ?? 2));
  },
};
const diesAt = Number(process.env.DIES_AT ?? Infinity);
watchDisk((operation) => {
  if (operation >= diesAt) process.kill(process.pid, 'SIGKILL');
});
const context = fakePublishing({ db, clock: systemClock, config }, pages);
console.log('ready');
if (process.env.STANDS_BY !== undefined) await once(process.stdin.resume(), 'end');
for (;;) {
  const outcome = await publishDue(context);
  if (isPublishing) note('end');
  isPublishing = false;
  if (outcome.status === 'published') continue;
  if (outcome.status === 'failed') console.error(outcome.error.message);
  process.exitCode = outcome.status === 'failed' ? 1 : 0;
  break;
}
await db.destroy();
process.exit();

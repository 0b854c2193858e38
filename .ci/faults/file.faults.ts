import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from './scenario.ts';
import { runToEnd } from './instance.ts';

const overwrite = async (file: string, at: (size: number) => number, bytes: number) => {
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, at(size));
  await handle.close();
};

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'SQLite file: beginning overwritten': (file) => overwrite(file, () => 0, 100),
  'SQLite file: a page in the middle overwritten': (file) => overwrite(file, (size) => (size >> 13) << 12, 4_096),
  'SQLite file: truncated in the middle': async (file) => truncate(file, ((await readFile(file)).length >> 13) << 12),
  'SQLite file: write-ahead log overwritten in the middle': (file) =>
    overwrite(`${file}-wal`, (size) => size >> 1, 2_000),
  'SQLite file: empty': (file) => writeFile(file, ''),
  'SQLite file: replaced with a text file': (file) =>
    writeFile(file, 'These are not the polls that you are looking for.\n'),
};

/** The SQLite file is damaged: nothing starts on it, the reason is printed, and the file stays unchanged. */
export const damagedFile: Scenario = {
  name: 'file',
  async run(fault) {
    const instance = await fault.instance('SQLite');
    const file = instance.url.slice('sqlite:'.length);
    await instance.startApi('--no-publisher');
    await instance.startSite();
    const visitors = instance.startVoters();
    await pause(800);
    // Like a power cut: the last votes are only in the log.
    await instance.api?.end('SIGKILL');
    await visitors.stop();
    await instance.stop();
    const kept = join(fault.folder, 'kept');
    const both = ['', '-wal'];
    for (const ending of both) await copyFile(file + ending, kept + ending);
    const putBack = async () => {
      await rm(`${file}-shm`, { force: true });
      for (const ending of both) await copyFile(kept + ending, file + ending);
    };

    for (const [what, damage] of Object.entries(damages)) {
      const line = fault.line(what);
      await putBack();
      // Damage in the file itself must be detected there, not hidden by the log.
      if (what === 'SQLite file: truncated in the middle' || what === 'SQLite file: a page in the middle overwritten')
        await rm(`${file}-wal`);
      await damage(file);
      const before = await contents(file);
      for (const command of ['migrate', 'api', 'start'] as const) {
        const { code, output } = await runToEnd(command, [], instance.env);
        line.expect(code === 1, `npm run ${command} exited with ${code}, not 1`);
        const sentence = output.split('\n').find((one) => one.includes(file)) ?? output;
        line.expect(
          sentence.includes('npm run restore') && sentence.includes(file),
          `npm run ${command} does not report what is wrong: ${output.slice(-300)}`,
        );
        line.shown(sentence.replaceAll(file, 'FILE').slice(0, 150));
        line.expect((await contents(file)).equals(before), `npm run ${command} changed the file`);
      }
      fault.step(what);
    }

    const line = fault.line('SQLite file: intact file put back after kill -9');
    await putBack();
    await instance.startBoth();
    await instance.verify(visitors, line);
  },
};

/** The contents of the file and its log. */
async function contents(file: string): Promise<Buffer> {
  const log = await readFile(`${file}-wal`).catch(() => Buffer.alloc(0));
  return Buffer.concat([await readFile(file), log]);
}

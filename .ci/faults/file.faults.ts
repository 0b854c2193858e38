import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { faultTexts } from './texts.ts';
import { runToEnd } from './instance.ts';
import type { Scenario } from './scenario.ts';
import { verifyVotes } from './checks.ts';

const texts = faultTexts.file;

const overwrite = async (file: string, at: (size: number) => number, bytes: number) => {
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, at(size));
  await handle.close();
};

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  [texts.head]: (file) => overwrite(file, () => 0, 100),
  [texts.page]: (file) => overwrite(file, (size) => (size >> 13) << 12, 4_096),
  [texts.cut]: async (file) => truncate(file, ((await readFile(file)).length >> 13) << 12),
  [texts.log]: (file) => overwrite(`${file}-wal`, (size) => size >> 1, 2_000),
  [texts.empty]: (file) => writeFile(file, ''),
  [texts.text]: (file) => writeFile(file, 'These are not the polls that you are looking for.\n'),
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
      if (what === texts.cut || what === texts.page) await rm(`${file}-wal`);
      await damage(file);
      const before = await contents(file);
      for (const command of ['migrate', 'api', 'start'] as const) {
        const { code, output } = await runToEnd(command, [], instance.env);
        line.expect(code === 1, texts.code(command, code));
        const sentence = output.split('\n').find((one) => one.includes(file)) ?? output;
        line.expect(sentence.includes('npm run restore') && sentence.includes(file), texts.unclear(command, output));
        line.shown(sentence.replaceAll(file, 'FILE').slice(0, 150));
        line.expect((await contents(file)).equals(before), texts.changed(command));
      }
      fault.step(what);
    }

    const line = fault.line(texts.sound);
    await putBack();
    await instance.startApi('--no-publisher');
    await instance.startSite();
    await instance.untilVoteTaken();
    await verifyVotes(instance.url, await instance.voterKey(), visitors, line);
  },
};

/** The contents of the file and its log. */
async function contents(file: string): Promise<Buffer> {
  const log = await readFile(`${file}-wal`).catch(() => Buffer.alloc(0));
  return Buffer.concat([await readFile(file), log]);
}

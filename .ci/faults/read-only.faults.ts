import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failingDisk, failReadOnly } from './disks.ts';
import type { Scenario } from './scenario.ts';
import { refusesVotesAndReads } from './checks.ts';
import { runToEnd } from './instance.ts';

/** The disk of the data folder becomes read-only while running and at startup. */
export const readOnlyFolder: Scenario = {
  name: 'read-only',
  async run(fault) {
    const line = fault.line('the data folder becomes read-only under votes, SQLite');
    const [folder, image] = [join(fault.folder, 'disk'), join(fault.folder, 'image')];
    const disk = await failingDisk(folder, image, 160);
    if (!disk) {
      line.shown('skipped: mounting a disk needs root');
      return;
    }
    let mounted = disk;
    fault.later(() => mounted.remove());
    const instance = await fault.instance('SQLite', { dataDir: join(folder, 'data') });
    await instance.startBoth();
    const visitors = instance.startVoters();
    await pause(400);
    await failReadOnly(folder);
    await refusesVotesAndReads(instance, visitors, line);
    fault.step('the data folder becomes read-only under votes, SQLite');
    await visitors.stop();
    await instance.api?.end();

    for (const command of ['api', 'start'] as const) {
      const atStart = fault.line(`read-only data folder: npm run ${command}`);
      if (command === 'start') await instance.stop();
      const { code, output } = await runToEnd(command, [], instance.env);
      atStart.expect(code === 1, `it exited with ${code}, not 1`);
      const reason = output.split('\n').at(-1) ?? '';
      atStart.expect(
        /not writable|can’t be opened|can’t write/.test(reason),
        `it does not report what is wrong: ${output.slice(-400)}`,
      );
      atStart.shown(reason.slice(0, 160));
      fault.step(`read-only data folder: npm run ${command}`);
    }

    // The operator’s repair: unmount, check, mount.
    await disk.remove();
    const again = await failingDisk(folder, image, 160, { keep: true });
    if (!again) throw new Error('the disk could not be remounted');
    mounted = again;
    await instance.startBoth();
    await instance.verify(visitors, line);
    await instance.stop();
  },
};

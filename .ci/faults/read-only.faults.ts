import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { faultTexts } from './texts.ts';
import { failingDisk, failReadOnly } from './disks.ts';
import { refusesVotesAndReads, verifyVotes } from './checks.ts';
import { runToEnd } from './instance.ts';
import type { Scenario } from './scenario.ts';

const texts = faultTexts.readOnly;

/** The disk of the data folder becomes read-only while running and at startup. */
export const readOnlyFolder: Scenario = {
  name: 'read-only',
  async run(fault) {
    const line = fault.line(texts.under);
    const [folder, image] = [join(fault.folder, 'disk'), join(fault.folder, 'image')];
    const disk = await failingDisk(folder, image, 160);
    if (!disk) {
      line.shown(faultTexts.needsRoot);
      return;
    }
    let mounted = disk;
    fault.later(() => mounted.remove());
    const instance = await fault.instance('SQLite', { dataDir: join(folder, 'data') });
    await instance.startApi('--no-publisher');
    await instance.startSite();
    await instance.untilVoteTaken();
    const visitors = instance.startVoters();
    await pause(400);
    await failReadOnly(folder);
    await refusesVotesAndReads(instance, visitors, line);
    fault.step(texts.under);
    await visitors.stop();
    await instance.api?.end();

    for (const command of ['api', 'start'] as const) {
      const atStart = fault.line(texts.start(command));
      if (command === 'start') await instance.stop();
      const { code, output } = await runToEnd(command, [], instance.env);
      atStart.expect(code === 1, faultTexts.disk.code(code));
      const reason = output.split('\n').at(-1) ?? '';
      atStart.expect(/not writable|can’t be opened|can’t write/.test(reason), texts.unclear(output));
      atStart.shown(reason.slice(0, 160));
      fault.step(texts.start(command));
    }

    // The operator’s repair: unmount, check, mount.
    await disk.remove();
    const again = await failingDisk(folder, image, 160, { keep: true });
    if (!again) throw new Error(texts.noRepair);
    mounted = again;
    await instance.startApi('--no-publisher');
    await instance.startSite();
    await instance.untilVoteTaken();
    await verifyVotes(instance.url, await instance.voterKey(), visitors, line);
    await instance.stop();
  },
};

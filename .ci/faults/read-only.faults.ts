import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { faultTexts } from './texts.ts';
import { failingDisk, failReadOnly } from './disks.ts';
import { refusesVotesAndReads, judge } from './verdict.ts';
import { runToEnd } from './running.ts';
import type { Scenario } from './scenario.ts';

const texts = faultTexts.readOnly;

/** The disk of the data folder fails and is read-only from then on, for whoever has files open, and at a start. */
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
    const stand = await fault.stand('SQLite', { dataDir: join(folder, 'data') });
    await stand.startApi('--no-publisher');
    await stand.startSite();
    await stand.untilVoteTaken();
    const visitors = stand.letVote();
    await pause(400);
    await failReadOnly(folder);
    await refusesVotesAndReads(stand, visitors, line);
    fault.step(texts.under);
    await visitors.stop();
    await stand.api?.end();

    for (const command of ['api', 'start'] as const) {
      const atStart = fault.line(texts.start(command));
      if (command === 'start') await stand.stop();
      const { code, said } = await runToEnd(command, [], stand.env);
      atStart.expect(code === 1, faultTexts.disk.code(code));
      const reason = said.split('\n').at(-1) ?? '';
      atStart.expect(/not writable|can’t be opened|can’t write/.test(reason), texts.unclear(said));
      atStart.shown(reason.slice(0, 160));
      fault.step(texts.start(command));
    }

    // The operator's repair: unmounted, checked, mounted again.
    await disk.remove();
    const again = await failingDisk(folder, image, 160, { keep: true });
    if (!again) throw new Error(texts.noRepair);
    mounted = again;
    await stand.startApi('--no-publisher');
    await stand.startSite();
    await stand.untilVoteTaken();
    await judge(stand.url, visitors, line);
    await stand.stop();
  },
};

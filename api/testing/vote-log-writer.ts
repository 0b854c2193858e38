/** A process that writes the vote log until it is killed; each of its ticks is an hour after the one before. */
import { openDatabase } from '#platform/database.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { logWriter } from './vote-logs.ts';

const [url = '', dataDir = '', start = ''] = process.argv.slice(2);
let now = Number(start);
const context = logWriter(openDatabase(url), { now: () => now }, { dataDir });
process.send?.('ready');
process.once('disconnect', () => process.exit(1));
for (;;) {
  // A busy database, or a lost lease: the next tick continues.
  await tick(context).catch(() => undefined);
  now += 3_600_000;
}

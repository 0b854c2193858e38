/** A witness in a process of its own, until it is killed: it cosigns what its parent sends, and sends the answers back. */
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { addCheckpoint } from '#api/integrity/log/witness.service.ts';
import { logKeyOf } from '#api/integrity/log/signing.ts';

const [url = '', seed = '', key = '', origin = ''] = process.argv.slice(2);
const context = { db: openDatabase(url), clock: systemClock, logs: [{ origin, key }], key: logKeyOf(seed) };
process.on('message', (body: string) => {
  // A busy database: the parent sends it again.
  void addCheckpoint(context, body).then(
    (answer) => process.send?.(answer),
    () => process.send?.({ status: 503 }),
  );
});
process.send?.('ready');
process.once('disconnect', () => process.exit(1));

import '#api/consequences.ts';
/**
 * The process that publishes, started by the API service; see api/publishing/publisher.service.ts. With little memory it ends
 * itself after some idle minutes, and always when the API service has ended.
 */
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
import { runPublisher } from '#api/publishing/publisher-process.ts';
import { stopSignal } from './command-line.ts';
import { publishContext } from './publishing.ts';

const stop = stopSignal();
const config = readConfig();
// Connections of its own: votes never wait for a check.
const db = openDatabase(config.databaseUrl);
const context = publishContext(db, config, stop);
process.on('disconnect', () => process.exit());
try {
  await runPublisher({
    ...{ context, nextTransition, stop },
    onWake: (wake) => process.on('message', wake),
    send: (message) => process.send?.(message),
  });
} finally {
  await context.close();
  await db.destroy();
}
process.exit();

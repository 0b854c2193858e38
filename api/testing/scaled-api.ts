/**
 * The API service as its command starts it, except for its builder, which takes milliseconds: for tests that kill it.
 */
import { fileURLToPath } from 'node:url';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
import { startPublisher } from '#api/publishing/publisher.service.ts';
import { startApiServer } from '#api/server.ts';

const config = readConfig();
const log = createLogger('api', { level: 'warn', json: true });
const secrets = await ensureSecrets(config);
const isAdminPassword = (candidate: string) => secrets.isAdminPassword(candidate);
const { sessionKeys: keys, voterKey, logKeys, witnessKey } = secrets;
await startApiServer({ config, keys, voterKey, logKeys, witnessKey, isAdminPassword, log });
const program = [fileURLToPath(new URL('fake-publisher.ts', import.meta.url))] as const;
const db = openDatabase(config.databaseUrl);
startPublisher({ db, clock: systemClock, config, log, nextTransition, program });
process.send?.('ready');
// An interrupted test leaves no service running.
process.once('disconnect', () => process.exit(1));

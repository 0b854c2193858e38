import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** Sends the API more malformed requests than a test run has time for, different ones each time. */

const help = `npm run fuzz [-- --requests N] [--seed N]

Sends N (20,000) requests that break the contract, on SQLite and on PostgreSQL. The same seed sends the same requests;
a failure names it.`;

const { values } = parseArgs({
  options: { requests: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) console.log(help);
else {
  const FUZZ_REQUESTS = values.requests ?? '20000';
  const FUZZ_SEED = values.seed ?? String(randomInt(1_000_000));
  console.log(`${FUZZ_REQUESTS} requests, seed ${FUZZ_SEED}`);
  const args = ['run', '--config', '.config/vitest.config.ts', 'api/health/broken-requests.http.test.ts'];
  spawn('vitest', args, { stdio: 'inherit', env: { ...process.env, FUZZ_REQUESTS, FUZZ_SEED } }).on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

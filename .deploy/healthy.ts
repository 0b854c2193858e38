import type { Health } from '#api/health/health.contract.ts';
import { readConfig } from '#platform/config.ts';

/**
 * Exits with 0 if the named services of this machine are ready: `site` once pages are published, `api` while its database
 * can be read. A full disk does not affect readiness, so that pages and results stay up; /api/health returns 503 then.
 * For health checks in images without curl.
 */
const { port, apiPort } = readConfig();
const addresses: Readonly<Record<string, string>> = {
  site: `http://127.0.0.1:${port}/`,
  api: `http://127.0.0.1:${apiPort}/api/health`,
};

for (const name of process.argv.slice(2)) {
  const address = addresses[name];
  if (address === undefined) {
    console.error(`Unknown service: ${name}. Choose site or api.`);
    process.exit(2);
  }
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) });
    if (answer.status !== 200 && !(name === 'api' && (await isReadOnly(answer))))
      throw new Error(`status ${answer.status}`);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    console.error(`${name}: ${cause?.code ?? message}`);
    process.exit(1);
  }
}

async function isReadOnly(answer: Response): Promise<boolean> {
  const health = (await answer.json().catch(() => null)) as Partial<Health> | null;
  return health?.database === 'read-only';
}

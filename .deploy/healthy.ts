import { readConfig } from '#platform/config.ts';

/**
 * Ends with 0 when the named services of this machine answer as they should: `site` once there is a release, `api` while
 * its database answers. For health checks, in images without curl.
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
    const { status } = await fetch(address, { signal: AbortSignal.timeout(4_000) });
    if (status !== 200) throw new Error(`status ${status}`);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    console.error(`${name}: ${cause?.code ?? message}`);
    process.exit(1);
  }
}

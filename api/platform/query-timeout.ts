/** The parts of pg's client that it does not type. */
interface PostgresClient {
  _getActiveQuery?(): unknown;
  readonly connection?: { readonly stream?: { destroy(error: Error): void } };
  once(event: 'end', listener: () => void): unknown;
}

const watchdogMs = 1_000;

/**
 * Closes a connection to PostgreSQL on which one query has had no response for `maxMs`: when the network or the server goes
 * silent, nothing else ever fails, and the caller would wait forever. The watchdog counts its ticks instead of reading the
 * clock, so that a process that was suspended does not mistake that for silence.
 */
export function withQueryTimeout(connection: unknown, maxMs: number): void {
  const client = connection as PostgresClient;
  let active: unknown = null;
  let ticks = 0;
  const timer = setInterval(() => {
    const now = client._getActiveQuery?.() ?? null;
    ticks = now !== null && now === active ? ticks + 1 : 0;
    active = now;
    if (ticks * watchdogMs < maxMs) return;
    clearInterval(timer);
    const error = new Error(`PostgreSQL did not respond within ${maxMs} ms.`);
    client.connection?.stream?.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }, watchdogMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}

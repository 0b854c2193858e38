/** What of pg's client is looked at; it types neither. */
interface Client {
  _getActiveQuery?(): unknown;
  readonly connection?: { readonly stream?: { destroy(error: Error): void } };
  once(event: 'end', listener: () => void): unknown;
}

const lookEveryMs = 1_000;

/**
 * Cuts a connection to PostgreSQL on which one statement has had no answer for `mostMs`: behind a network or a server that
 * fell silent nothing ever fails by itself, and whatever uses the connection would wait for ever. Looks are counted, not
 * time, so that a process that was itself asleep does not take that for silence.
 */
export function cutWhenSilent(connection: unknown, mostMs: number): void {
  const client = connection as Client;
  let active: unknown = null;
  let looks = 0;
  const timer = setInterval(() => {
    const now = client._getActiveQuery?.() ?? null;
    looks = now !== null && now === active ? looks + 1 : 0;
    active = now;
    if (looks * lookEveryMs < mostMs) return;
    clearInterval(timer);
    const error = new Error(`PostgreSQL did not respond within ${mostMs} ms.`);
    client.connection?.stream?.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }, lookEveryMs);
  timer.unref();
  client.once('end', () => clearInterval(timer));
}

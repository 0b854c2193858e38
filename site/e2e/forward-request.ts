import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Forwards a request to another origin and returns its response; if that fails, the connection is closed. */
export function forwardRequest(incoming: IncomingMessage, response: ServerResponse, origin: string): void {
  const target = new URL(incoming.url ?? '/', origin);
  const forwarded = request(
    target,
    { method: incoming.method, headers: { ...incoming.headers, host: target.host } },
    (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    },
  );
  forwarded.on('error', () => response.destroy());
  incoming.pipe(forwarded);
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import { forwardRequest } from './forward-request.ts';

/** A proxy for an API whose requests to matching URLs fail; returns a function that stops it. */
export async function startFailingApi(api: string, port: number, failing: RegExp): Promise<() => Promise<void>> {
  const server = createServer((call, answer) => {
    if (failing.test(call.url ?? '')) answer.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    else forwardRequest(call, answer, api);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

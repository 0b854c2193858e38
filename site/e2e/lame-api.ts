import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Passes calls on to an API on this machine, all but those to addresses that fit: these fail. What is answered stops it. */
export async function startLameApi(apiPort: number, port: number, failing: RegExp): Promise<() => Promise<void>> {
  const server = createServer((call, answer) => {
    if (failing.test(call.url ?? '')) {
      answer.writeHead(503, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const { url, method, headers } = call;
    const onward = request({ host: '127.0.0.1', port: apiPort, path: url, method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    call.pipe(onward);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

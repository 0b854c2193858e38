import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Forwards a request to another origin and returns its response; if that fails, the connection is closed. */
export function passOn(asked: IncomingMessage, answer: ServerResponse, origin: string): void {
  const target = new URL(asked.url ?? '/', origin);
  const passed = request(target, { method: asked.method, headers: { ...asked.headers, host: target.host } }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
}

import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Passes a call on to the same address of another origin, and its answer back; a call that fails there ends without one. */
export function passOn(asked: IncomingMessage, answer: ServerResponse, origin: string): void {
  const target = new URL(asked.url ?? '/', origin);
  const passed = request(target, { method: asked.method, headers: { ...asked.headers, host: target.host } }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  asked.pipe(passed);
}

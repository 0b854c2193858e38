import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** What a request may have besides its path. */
export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An answer with its body decoded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request to the site by its public name whose path goes out exactly as written. */
export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> {
  return new Promise((answered, failed) => {
    const options = { host: '127.0.0.1', port, path, method, agent: false };
    const call = requestHttp({ ...options, headers: { host: 'polls.example.org', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => {
        const raw = Buffer.concat(parts);
        const encoding = raw.length === 0 ? undefined : response.headers['content-encoding'];
        const whole = encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw;
        answered({ status: response.statusCode ?? 0, headers: response.headers, body: whole });
      });
    });
    call.once('error', failed);
    call.end(body);
  });
}

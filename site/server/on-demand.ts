import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { constants } from 'node:zlib';
import compression from 'compression';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { clientOf } from './client-address.ts';

/** Quick rather than small: somebody waits for each of these pages. */
const compress = compression({ level: 5, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } });

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>;

/** Renders pages that are not in the release with the release's own code. */
export interface OnDemand {
  /** Answers, or calls `next` when the code has no page for the address. Rejects when the code cannot be loaded. */
  render(entry: string, request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void>;
}

/** The headers of a path go on every answer there; a page's own content policy stands beside ours, both hold. */
export function createOnDemand(options: {
  headersOf: (path: string) => readonly string[];
  publicUrl: string;
  isProxy?: IsProxy;
}): OnDemand {
  const { headersOf } = options;
  const publicProto = new URL(options.publicUrl).protocol.slice(0, -1);
  let loaded: { entry: string; handler: Promise<Handler> } | null = null;

  const handlerOf = (entry: string): Promise<Handler> => {
    // Modules are never unloaded, so releases with the same code share one entry (`serverFrom`).
    if (loaded?.entry !== entry) {
      const handler = import(pathToFileURL(entry).href).then((module: { handler: Handler }) => module.handler);
      loaded = { entry, handler };
      handler.catch(() => {
        if (loaded?.entry === entry) loaded = null;
      });
    }
    return loaded.handler;
  };

  return {
    async render(entry, request, response, next) {
      const handler = await handlerOf(entry);
      const client = clientOf(request, publicProto, options.isProxy);
      // Pages hand the visitor's address on to the API, so it must be one that can be believed.
      request.headers['x-forwarded-for'] = client.address;
      request.headers['x-forwarded-proto'] = client.proto;
      request.headers['x-forwarded-host'] = client.host;
      delete request.headers.forwarded;

      response.setHeader('Cache-Control', 'no-store');
      const always = headersOf(request.url ?? '/');
      for (let i = 0; i < always.length; i += 2) response.setHeader(always[i]!, always[i + 1]!);
      const ours = response.getHeader('content-security-policy') as string;
      // Written for servers of another kind, it asks of a request and an answer no more than these are.
      compress(request as never, response as never, () => undefined);
      const writeHead = response.writeHead.bind(response);
      response.writeHead = (status: number, ...rest: unknown[]) => {
        const headers = (rest.at(-1) ?? {}) as Record<string, unknown>;
        for (const [name, value] of Object.entries(headers)) {
          const lower = name.toLowerCase();
          if (lower === 'content-security-policy') headers[name] = [ours, value].flat();
          else if (lower === 'content-type' && value === 'text/html') headers[name] = 'text/html; charset=utf-8';
        }
        // Astro says "OK" whatever the status is.
        response.statusMessage = STATUS_CODES[status] ?? '';
        return writeHead(status, ...(rest as []));
      };
      await handler(request, response, () => {
        // Whoever answers instead has a file that is compressed already: the answer is as it was before.
        for (const method of ['write', 'end', 'on', 'writeHead'] as const) Reflect.deleteProperty(response, method);
        next();
      });
    },
  };
}

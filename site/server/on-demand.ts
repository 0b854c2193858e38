import type { IncomingMessage, ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { constants } from 'node:zlib';
import compression from 'compression';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { clientOf } from './forward.ts';

/** Fast rather than small: a visitor waits for each of these pages. */
const compress = compression({ level: 5, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } });

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>;

/** Renders pages that are not in the release, with the release’s own code. */
export interface OnDemand {
  /** Responds, or calls `next` if the code has no page for the URL. Rejects if the code can’t be loaded. */
  render(entry: string, request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void>;
}

/** `headersOf` returns the headers of every response for a path. */
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
      // Pages forward the visitor’s address to the API, so it must be trustworthy.
      request.headers['x-forwarded-for'] = client.address;
      request.headers['x-forwarded-proto'] = client.proto;
      request.headers['x-forwarded-host'] = client.host;
      delete request.headers.forwarded;

      response.setHeader('Cache-Control', 'no-store');
      const always = headersOf(request.url ?? '/');
      for (let i = 0; i < always.length; i += 2) response.setHeader(always[i]!, always[i + 1]!);
      // The middleware is typed for Express but uses only what Node’s request and response have.
      compress(request as never, response as never, () => undefined);
      await handler(request, response, () => {
        // The fallback serves a file that is already compressed, so the response is restored.
        for (const method of ['write', 'end', 'on', 'writeHead'] as const) Reflect.deleteProperty(response, method);
        next();
      });
    },
  };
}

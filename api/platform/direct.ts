import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';

type Serve = (ctx: Context) => Promise<void>;

/**
 * Handles the most frequent requests, which need no session, with Koa’s context but only this middleware, and sends their
 * JSON. Koa itself would watch each request for its end and prepare for every kind of body.
 */
export function directly(koa: Koa, middleware: readonly Middleware[]) {
  const run = (ctx: Context, serve: Serve, at = 0): Promise<unknown> => {
    const one = middleware[at];
    return one ? (one(ctx, () => run(ctx, serve, at + 1)) as Promise<unknown>) : serve(ctx);
  };

  return async (request: IncomingMessage, response: ServerResponse, serve: Serve): Promise<void> => {
    try {
      const ctx: Context = koa.createContext(request, response);
      // As Koa begins: what serves it sets another one.
      response.statusCode = 404;
      await run(ctx, serve);
      const { body } = ctx.response;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.setHeader('content-length', Buffer.byteLength(text));
      response.end(text);
    } catch (error) {
      koa.emit('error', error);
      response.destroy();
    }
  };
}

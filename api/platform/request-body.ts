import type { Context } from 'koa';
import { HttpMethodEnum as methods, koaBody } from 'koa-body';
import { whileClientSends } from './client-left.ts';
import { errors } from './errors.ts';

/** A body as it was sent, and as JSON if that is its kind. */
interface Body {
  readonly raw: string;
  readonly parsed: unknown;
}

/**
 * Reads bodies of at most `limit` bytes, as JSON or, whatever type they say they have, as text; throws 413 for a larger
 * one. Null: invalid, or broke off.
 */
export function bodyReader(kind: 'json' | 'text', limit: number): (ctx: Context) => Promise<Body | null> {
  // One kind each: a look at the type costs a microsecond per vote.
  const parse = koaBody({
    ...{ json: kind === 'json', text: kind === 'text', urlencoded: false, multipart: false },
    ...{ jsonTypes: ['application/json'], jsonStrict: false, jsonLimit: limit, textTypes: ['*/*'], textLimit: limit },
    includeUnparsed: true,
    parsedMethods: [methods.POST, methods.PUT, methods.PATCH, methods.DELETE],
  });
  return async (ctx) => {
    // A compressed body is invalid: koa-body would decompress it, and limit only the result.
    delete ctx.req.headers['content-encoding'];
    if (kind === 'text') ctx.req.headers['content-type'] ??= 'text/plain';
    try {
      await whileClientSends(ctx.req, () => parse(ctx, () => Promise.resolve()) as Promise<void>);
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && error.status === 413)) return null;
      // The rest of the body is discarded, and the connection closed after the response: it may never end.
      ctx.req.resume();
      ctx.set('connection', 'close');
      throw errors.payloadTooLarge();
    }
    const { rawBody: raw = '', body: parsed } = ctx.request as { rawBody?: string; body?: unknown };
    return { raw, parsed };
  };
}

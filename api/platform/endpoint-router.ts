import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { endpoints } from '#contract/endpoints.ts';
import type { BodyOf, Endpoint, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { errors } from './errors.ts';
import { readJson } from './json-body.ts';
import { compileSchema, fieldErrors } from './validation.ts';

/** What a handler gets: values that the contract has checked, and Koa's context for cookies and headers. */
export interface Call<N extends EndpointName> {
  readonly params: ParamsOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly ctx: Context;
}

/** An answer that its service has already written as JSON of the right shape. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<ResponseOf<N> | JsonText>;

/** Puts calls of the contract on a router; what is not mounted is 404, or 405 where another method is. */
export class EndpointRouter {
  readonly #router = new Router();
  readonly #mounted: EndpointName[] = [];

  /** Names of the calls that this service answers. */
  get mounted(): readonly EndpointName[] {
    return this.#mounted;
  }

  /** Serves one call: checks what came in, runs the handler, sets status and caching. */
  mount<N extends EndpointName>(name: N, handler: Handler<N>): this {
    const endpoint: Endpoint = endpoints[name];
    const params = endpoint.params && compileSchema<object>(endpoint.params as object, 'text');
    const query = endpoint.query && compileSchema<object>(endpoint.query as object, 'text');
    const body = endpoint.body && compileSchema<object>(endpoint.body as object, 'json');
    const cacheControl =
      endpoint.cache === 'public' ? `public, max-age=${limits.publicMaxAgeSeconds}` : 'no-store';

    const serve: Middleware = async (ctx) => {
      const values = { params: { ...ctx.params }, query: { ...ctx.query }, body: undefined as unknown, ctx };
      // An id that breaks the pattern cannot exist; saying so keeps one answer for every missing poll.
      if (params && !params(values.params))
        throw endpoint.errors.includes('POLL_NOT_FOUND') ? errors.pollNotFound() : errors.notFound();
      if (query && !query(values.query)) throw errors.validationFailed(fieldErrors(query.errors));
      if (body) {
        values.body = await readJson(ctx);
        if (!body(values.body)) throw errors.validationFailed(fieldErrors(body.errors));
      }
      const answer = await handler(values as unknown as Call<N>);
      // A handler that found something wrong with itself (health) has set its own status.
      if (ctx.status === 404) ctx.status = endpoint.status;
      ctx.set('cache-control', cacheControl);
      if (endpoint.response === undefined) return;
      if (answer instanceof JsonText) ctx.type = 'json';
      ctx.body = answer instanceof JsonText ? answer.text : answer;
    };

    this.#router.register(endpoint.path, [endpoint.method], serve);
    this.#mounted.push(name);
    return this;
  }

  /** The Koa middleware that finds the call. */
  routes(): Middleware {
    const routes = this.#router.routes() as unknown as Middleware;
    return async (ctx, next) => {
      await routes(ctx, async () => {
        if (ctx.path.startsWith('/api')) {
          const allowed = this.#router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
          if (allowed.length > 0) throw errors.methodNotAllowed([...new Set(allowed)].join(', '));
          throw errors.notFound();
        }
        await next();
      });
    };
  }
}

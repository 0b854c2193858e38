import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { endpoints } from '#contract/endpoints.ts';
import type { BodyOf, Endpoint, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoints.ts';
import { errors } from './errors.ts';
import { readJson } from './json-body.ts';
import type { RequestState } from './middleware.ts';
import { requireUser, signedInUser } from './session.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { compileSchema } from './validation.ts';

/** Seconds that public, unpersonalized API responses may be cached. */
export const publicMaxAgeSeconds = 300;

/** What a handler gets: values that the contract has checked, and Koa's context for cookies and headers. */
export interface Call<N extends EndpointName> {
  readonly params: ParamsOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  /** Whose session it is; always somebody's where the contract says `signedIn`. */
  readonly userId: (typeof endpoints)[N] extends { signedIn: true } ? string : string | null;
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

type Params = Record<string, string>;
type Serve = (ctx: Context, params: Params) => Promise<void>;

/** A call that is found before the router is asked: the router's search costs more than the rest of its way. */
interface DirectCall {
  readonly method: string;
  readonly pattern: RegExp;
  readonly serve: Serve;
}

/** Finds the call of the contract for a request; what is not mounted is 404, or 405 where another method is. */
export class EndpointRouter {
  readonly #router = new Router({ sensitive: true });
  readonly #direct: DirectCall[] = [];
  readonly #mounted: EndpointName[] = [];

  /** Names of the calls that this service answers. */
  get mounted(): readonly EndpointName[] {
    return this.#mounted;
  }

  /**
   * Serves one call: checks what came in, runs the handler, sets status and caching. Paths without parameters are
   * mounted before those that would match them too. `direct` is for calls that arrive in crowds; `tidy` makes of a body
   * what shall be checked, such as texts without white space around them.
   */
  mount<N extends EndpointName>(
    name: N,
    handler: Handler<N>,
    { direct = false, tidy }: { readonly direct?: boolean; readonly tidy?: (body: unknown) => unknown } = {},
  ): this {
    const endpoint: Endpoint = endpoints[name];
    const params = endpoint.params && compileSchema<object>(endpoint.params as object, 'text');
    const query = endpoint.query && compileSchema<object>(endpoint.query as object, 'text');
    const body = endpoint.body && compileSchema<object>(endpoint.body as object, 'json');
    const cacheControl = endpoint.cache === 'public' ? `public, max-age=${publicMaxAgeSeconds}` : 'no-store';

    const serve: Serve = async (ctx, pathParams) => {
      (ctx.state as RequestState).call = name;
      const userId = endpoint.signedIn ? requireUser(ctx) : signedInUser(ctx);
      if (params && !params(pathParams)) throw missing(endpoint);
      const search = query ? { ...ctx.query } : {};
      if (query && !query(search)) throw errors.validationFailed(fieldErrors(query.errors));
      const json = body ? await readJson(ctx) : undefined;
      const sent = tidy ? tidy(json) : json;
      if (body && !body(sent)) throw errors.validationFailed(fieldErrors(body.errors));

      const answer = await handler({
        params: pathParams,
        query: search,
        body: sent,
        userId,
        ctx,
      } as unknown as Call<N>);
      // A handler that found something wrong with itself (health) has set its own status.
      if (ctx.status === 404) ctx.status = endpoint.status;
      ctx.set('cache-control', cacheControl);
      if (endpoint.response === undefined) return;
      if (answer instanceof JsonText) ctx.type = 'json';
      ctx.body = answer instanceof JsonText ? answer.text : answer;
    };

    this.#router.register(endpoint.path, [endpoint.method], (ctx) => serve(ctx, ctx.params));
    if (direct) this.#direct.push({ method: endpoint.method, pattern: patternOf(endpoint.path), serve });
    this.#mounted.push(name);
    return this;
  }

  /** The Koa middleware that finds the call. */
  routes(): Middleware {
    const routed = this.#router.routes() as unknown as (ctx: Context, next: () => Promise<unknown>) => Promise<void>;
    return (ctx, next) => {
      for (const { method, pattern, serve } of this.#direct) {
        const found = method === ctx.method ? pattern.exec(ctx.path) : null;
        if (found) return serve(ctx, { ...found.groups });
      }
      return routed(ctx, () => this.#miss(ctx, next));
    };
  }

  async #miss(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    if (!ctx.path.startsWith('/api')) {
      await next();
      return;
    }
    const methods = this.#router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    throw methods.length > 0 ? errors.methodNotAllowed([...new Set(methods)].join(', ')) : errors.notFound();
  }
}

/** An id that breaks the pattern cannot exist; saying so keeps one answer for every missing poll, and every article. */
function missing({ errors: codes }: Endpoint): Error {
  if (codes.includes('POLL_NOT_FOUND')) return errors.pollNotFound();
  return codes.includes('BLOG_POST_NOT_FOUND') ? errors.blogPostNotFound() : errors.notFound();
}

/** A direct call's parameters are plain segments: what needs decoding goes the router's way. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[\\w-]+)')}$`);
}

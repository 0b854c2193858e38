import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { BodyOf, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import { errors } from './errors.ts';
import type { RequestState } from './middleware.ts';
import { bodyReader } from './request-body.ts';
import { refuseSuspended, requireUser, signedInUser } from './session.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { compileSchema } from './validation.ts';

/** Seconds that public, unpersonalized API responses may be cached. */
export const publicMaxAgeSeconds = 300;

const cacheControls = {
  public: `public, max-age=${publicMaxAgeSeconds}`,
  immutable: 'private, max-age=31536000, immutable',
  never: 'no-store',
} as const;

/** A validated request: values that match the contract, and Koa's context for cookies and headers. */
export interface Call<N extends EndpointName> {
  readonly params: ParamsOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  /** The signed-in user; never null where the contract says `signedIn`. */
  readonly userId: (typeof endpoints)[N] extends { signedIn: true } ? string : string | null;
  readonly ctx: Context;
}

/** A response that its service has already serialized as JSON of the right shape. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<ResponseOf<N> | JsonText>;

type Params = Record<string, string>;
type Serve = (ctx: Context, params: Params) => Promise<void>;

/** An endpoint matched before the router: the router's search costs more than the rest of the request. */
interface DirectRoute {
  readonly method: string;
  readonly pattern: RegExp;
  /** What the groups of the pattern are. */
  readonly names: readonly string[];
  readonly serve: Serve;
}

/**
 * Whether an endpoint takes part in polls or discussions, or changes what others see there, which suspended members can’t.
 * They may still read, delete what is theirs, appeal, and manage their accounts.
 */
const participates = ({ method, path }: Endpoint) =>
  (method === 'POST' || method === 'PATCH') &&
  /^\/api\/(polls\/:id|community-polls|user\/(opened|shares|picture))/.test(path);

/** Routes requests to the endpoints of the contract; unknown paths are 404, other methods of known ones 405. */
export class EndpointRouter {
  readonly #router = new Router({ sensitive: true });
  readonly #direct: DirectRoute[] = [];
  readonly #mounted: EndpointName[] = [];

  /** Names of the mounted endpoints. */
  get mounted(): readonly EndpointName[] {
    return this.#mounted;
  }

  /**
   * Serves one endpoint: validates the request, runs the handler, sets status and caching. Paths without parameters must be
   * mounted before those that would match them, too. `direct` is for the most frequent endpoints; `authorize` throws before
   * anything else is checked; `normalize` transforms a body before validation, such as trimming texts.
   */
  mount<N extends EndpointName>(
    name: N,
    handler: Handler<N>,
    options: {
      readonly direct?: boolean;
      readonly authorize?: (ctx: Context) => Promise<void>;
      readonly normalize?: (body: unknown) => unknown;
    } = {},
  ): this {
    const { direct = false, authorize, normalize } = options;
    const endpoint: Endpoint = endpoints[name];
    const params = endpoint.params && compileSchema<object>(endpoint.params, 'text');
    const query = endpoint.query && compileSchema<object>(endpoint.query, 'text');
    const body = endpoint.body && compileSchema<object>(endpoint.body, 'json');
    const cacheControl = cacheControls[endpoint.cache ?? 'never'];

    const serve: Serve = async (ctx, pathParams) => {
      const state = ctx.state as RequestState;
      state.call = name;
      state.isFrequent = direct;
      const userId = endpoint.signedIn ? requireUser(ctx) : signedInUser(ctx);
      if (participates(endpoint)) refuseSuspended(ctx);
      if (authorize) await authorize(ctx);
      if (params && !params(pathParams)) throw missing(endpoint);
      const search = query ? { ...ctx.query } : {};
      if (query && !query(search)) throw errors.validationFailed(fieldErrors(query.errors));
      const json = body ? await readJson(ctx, endpoint.longBody) : undefined;
      const sent = normalize ? normalize(json) : json;
      if (body && !body(sent)) throw errors.validationFailed(fieldErrors(body.errors));
      // Refused meanwhile, because the body took too long.
      if (ctx.res.headersSent) return;

      const answer = await handler({
        params: pathParams,
        query: search,
        body: sent,
        userId,
        ctx,
      } as unknown as Call<N>);
      // A handler may have set a status itself (health).
      const { res, response } = ctx;
      if (res.headersSent) return;
      if (res.statusCode === 404) response.status = endpoint.status;
      res.setHeader('cache-control', cacheControl);
      if (endpoint.response === undefined) return;
      if (answer instanceof JsonText) res.setHeader('content-type', 'application/json; charset=utf-8');
      response.body = answer instanceof JsonText ? answer.text : answer;
    };

    this.#router.register(endpoint.path, [endpoint.method], (ctx) => serve(ctx, ctx.params));
    if (direct) this.#direct.push({ method: endpoint.method, ...patternOf(endpoint.path), serve });
    this.#mounted.push(name);
    return this;
  }

  /** The Koa middleware that routes requests. */
  routes(): Middleware {
    const routed = this.#router.routes() as unknown as (ctx: Context, next: () => Promise<unknown>) => Promise<void>;
    return (ctx, next) => {
      const serve = this.direct(ctx.method, ctx.path);
      return serve ? serve(ctx) : routed(ctx, () => this.#miss(ctx, next));
    };
  }

  /** What serves a request for one of the most frequent endpoints; undefined for any other. */
  direct(method = '', path = ''): ((ctx: Context) => Promise<void>) | undefined {
    for (const route of this.#direct) {
      const found = method === route.method ? route.pattern.exec(path) : null;
      if (!found) continue;
      const params: Params = {};
      for (const [place, name] of route.names.entries()) params[name] = found[place + 1]!;
      return (ctx) => route.serve(ctx, params);
    }
    return undefined;
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

const readShort = bodyReader('json', limits.jsonBodyBytes);
const readLong = bodyReader('json', limits.longJsonBodyBytes);

/** Reads a JSON body; throws 413 for one that is too large, 415 for another type, and 400 for invalid JSON. */
async function readJson(ctx: Context, isLong = false): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(ctx.req.headers['content-type'] ?? '')) throw errors.unsupportedMediaType();
  const body = await (isLong ? readLong : readShort)(ctx);
  // koa-body takes an empty body for an empty text.
  if (!body?.raw) throw errors.invalidJson();
  return body.parsed;
}

/** An id that breaks the pattern cannot exist; the response is the same as for every missing poll or article. */
function missing({ errors: codes }: Endpoint): Error {
  if (codes.includes('POLL_NOT_FOUND')) return errors.pollNotFound();
  return codes.includes('BLOG_POST_NOT_FOUND') ? errors.blogPostNotFound() : errors.notFound();
}

/** Parameters of direct routes are plain segments; encoded ones fall through to the router. */
function patternOf(path: string): Pick<DirectRoute, 'pattern' | 'names'> {
  const parameter = /:(\w+)/g;
  return {
    pattern: new RegExp(`^${path.replace(parameter, '([\\w-]+)')}$`),
    names: Array.from(path.matchAll(parameter), ([, name = '']) => name),
  };
}

import type { TSchema } from 'typebox';
import type { ErrorCode } from './error-codes.ts';
import type { ApiScope, OperatorPermission } from './vocabulary.ts';

/** Method, path and caching of an endpoint: all that the browser needs to call it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `:name` for each parameter. */
  readonly path: string;
  /**
   * `public`: the same for everyone, cached for minutes. `immutable`: never changes, kept by browsers only, so that what is
   * removed is in no shared cache. Omitted: never cached.
   */
  readonly cache?: 'public' | 'immutable';
  /** The endpoint reads the device id from its header. */
  readonly device?: 'required' | 'optional';
}

/* The beginning of an endpoint: its method and path. */
export const get = <const P extends string>(path: P) => ({ method: 'GET', path }) as const;
export const post = <const P extends string>(path: P) => ({ method: 'POST', path }) as const;
export const patch = <const P extends string>(path: P) => ({ method: 'PATCH', path }) as const;
export const del = <const P extends string>(path: P) => ({ method: 'DELETE', path }) as const;

/** An endpoint of the API with its input and output. */
export interface Endpoint extends Route {
  readonly summary: string;
  /**
   * Scripts of pages with a ballot don’t call it: `clientRoutes`, which each of them loads, leaves it out, as all that are
   * for operators.
   */
  readonly client?: false;
  /** For signed-in members; others get 401 before anything else is checked. */
  readonly signedIn?: true;
  /** Accepts an Idempotency-Key: a repeated request gets the first result. */
  readonly idempotent?: true;
  /** For operators with this permission. */
  readonly admin?: OperatorPermission;
  /** A dangerous action: an operator has to have given a password or passkey recently. */
  readonly confirm?: true;
  /** API tokens with this scope may call it, too. */
  readonly scope?: ApiScope;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Its body has a long text, and may be longer than others. */
  readonly longBody?: true;
  /** The type of a body that is not JSON; its handler reads it. */
  readonly bodyType?: 'image/*';
  /** Status and schema of a successful response. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly response?: TSchema;
  /** The type of a response that is not JSON. */
  readonly responseType?:
    'text/plain' | 'text/csv' | 'application/octet-stream' | 'application/atom+xml' | 'image/webp';
  /** Codes beyond the general ones (not found, rate limited, internal). */
  readonly errors: readonly ErrorCode[];
}

/** The URL of a route with percent-encoded parameters and query. */
export function routeUrl(
  { path }: Route,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${key}.`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** Whether the API serves an address by itself: its calls, the published log, and the witness. All others are pages. */
export const isApiAddress = (path: string): boolean => /^\/api(\/|$)|^\/integrity\/(key$|log\/|witness\/)/.test(path);

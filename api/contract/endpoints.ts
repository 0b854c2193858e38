import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { accountEndpoints } from './accounts.endpoints.ts';
import { adminEndpoints } from './admin.endpoints.ts';
import { blogEndpoints } from './blog.endpoints.ts';
import { communityEndpoints } from './community.endpoints.ts';
import { pollEndpoints } from './polls.endpoints.ts';

export type { Endpoint } from './endpoint.ts';

/** Every call of the API, by name. A service answers those that are mounted on its router. */
export const endpoints = {
  ...pollEndpoints,
  ...accountEndpoints,
  ...communityEndpoints,
  ...blogEndpoints,
  ...adminEndpoints,
} as const;

export type EndpointName = keyof typeof endpoints;

type SchemaOf<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S> ? (S extends JSONSchema ? FromSchema<S> : undefined) : undefined;

/** What a call answers. */
export type ResponseOf<N extends EndpointName> = SchemaOf<N, 'response'>;
/** What a call takes as its JSON body. */
export type BodyOf<N extends EndpointName> = SchemaOf<N, 'body'>;
export type ParamsOf<N extends EndpointName> = SchemaOf<N, 'params'>;
/** The query of a call; every member may be left out. */
export type QueryOf<N extends EndpointName> = Partial<SchemaOf<N, 'query'>>;

/** The path of a call with its parameters filled in and percent-encoded, and its query behind it. */
export function pathOf(
  name: EndpointName,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = endpoints[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined) throw new Error(`The path of "${name}" needs the parameter "${key}".`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { accountEndpoints } from './accounts.endpoints.ts';
import { adminEndpoints } from './admin.endpoints.ts';
import { blogEndpoints } from './blog.endpoints.ts';
import { communityEndpoints } from './community.endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { managingEndpoints } from './managing.endpoints.ts';
import { pollEndpoints } from './polls.endpoints.ts';
import { profileEndpoints } from './profile.endpoints.ts';
import type { EndpointName } from './routes.ts';

export type { Endpoint } from './endpoint.ts';
export type { EndpointName } from './routes.ts';

/** Every call of the API, by name. A service answers those that are mounted on its router. */
export const endpoints = {
  ...pollEndpoints,
  ...accountEndpoints,
  ...profileEndpoints,
  ...communityEndpoints,
  ...blogEndpoints,
  ...adminEndpoints,
  ...managingEndpoints,
} as const satisfies Record<EndpointName, Endpoint>;

type SchemaOf<N extends EndpointName, K extends string> =
  (typeof endpoints)[N] extends Record<K, infer S> ? (S extends JSONSchema ? FromSchema<S> : undefined) : undefined;

/** What a call answers. */
export type ResponseOf<N extends EndpointName> = SchemaOf<N, 'response'>;
/** What a call takes as its JSON body. */
export type BodyOf<N extends EndpointName> = SchemaOf<N, 'body'>;
export type ParamsOf<N extends EndpointName> = SchemaOf<N, 'params'>;
/** The query of a call; every member may be left out. */
export type QueryOf<N extends EndpointName> = Partial<SchemaOf<N, 'query'>>;

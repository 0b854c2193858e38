import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { accountEndpoints } from './account.ts';
import { adminEndpoints } from './admin.ts';
import { blogEndpoints } from './blog.ts';
import { commentEndpoints } from './comment.ts';
import { communityEndpoints } from './community-poll.ts';
import type { Endpoint, EndpointName } from './routes.ts';
import { healthEndpoints } from './health.ts';
import { managingEndpoints } from './managed-poll.ts';
import { pollEndpoints } from './poll.ts';
import { profileEndpoints } from './profile.endpoints.ts';

export type { Endpoint, EndpointName } from './routes.ts';

/** Every call of the API, by name. A service answers those that are mounted on its router. */
export const endpoints = {
  ...healthEndpoints,
  ...pollEndpoints,
  ...accountEndpoints,
  ...profileEndpoints,
  ...communityEndpoints,
  ...commentEndpoints,
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

import {
  adminPasswordHeader,
  challengeHeader,
  deviceIdHeader,
  deviceIdPattern,
  emailCodeHeader,
  idempotencyKeyHeader,
  idempotencyKeyPattern,
  nonceHeader,
  noncePattern,
  sessionCookie,
} from '#contract/vocabulary.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { errorBodySchema } from '#contract/error-codes.ts';
import type { Config } from '#platform/config.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';

/** `/api/openapi.json`: the OpenAPI document of the mounted endpoints. */
export function mountOpenApi(router: EndpointRouter, config: Pick<Config, 'publicUrl' | 'siteName'>): void {
  router.mount('openapi', () => Promise.resolve(openApiDocument(router.mounted, config)));
}

type Json = Record<string, unknown>;

/** An OpenAPI 3.1 document of the named endpoints, generated from the contract; schemas with an `$id` become components. */
function openApiDocument(names: readonly EndpointName[], site: { publicUrl: string; siteName: string }): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  const errorAnswer = {
    description: 'Refused or failed; `code` gives the reason',
    content: { 'application/json': { schema: withReferences(errorBodySchema, schemas) } },
  };

  for (const name of names) {
    const endpoint: Endpoint = endpoints[name];
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const parameters = [
      ...parametersOf('path', endpoint.params, schemas),
      ...parametersOf('query', endpoint.query, schemas),
      ...(endpoint.device
        ? [
            {
              name: deviceIdHeader,
              in: 'header',
              required: endpoint.device === 'required',
              schema: { type: 'string', pattern: deviceIdPattern },
            },
          ]
        : []),
      ...(endpoint.errors.includes('CHALLENGE_REQUIRED')
        ? [
            ...[challengeHeader, emailCodeHeader].map((name) => ({ name, schema: { type: 'string' } })),
            { name: nonceHeader, schema: { type: 'string', pattern: noncePattern } },
          ].map((parameter) => ({ ...parameter, in: 'header', required: false }))
        : []),
      ...(endpoint.idempotent
        ? [
            {
              name: idempotencyKeyHeader,
              in: 'header',
              required: false,
              schema: { type: 'string', pattern: idempotencyKeyPattern },
            },
          ]
        : []),
    ];
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = {
      operationId: name,
      summary: endpoint.summary,
      ...(parameters.length > 0 && { parameters }),
      ...(isForOperators(endpoint) && {
        security: [
          { sharedPassword: [] },
          { session: [] },
          ...(endpoint.scope ? [{ apiToken: [endpoint.scope] }] : []),
        ],
      }),
      ...(endpoint.body !== undefined && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: withReferences(endpoint.body, schemas) } },
        },
      }),
      ...(endpoint.bodyType !== undefined && {
        requestBody: { required: true, content: { [endpoint.bodyType]: {} } },
      }),
      responses: {
        [endpoint.status]: {
          description: 'Done',
          ...(endpoint.response !== undefined && {
            content: {
              [endpoint.responseType ?? 'application/json']: { schema: withReferences(endpoint.response, schemas) },
            },
          }),
          ...(endpoint.response === undefined &&
            endpoint.responseType !== undefined && { content: { [endpoint.responseType]: {} } }),
        },
        default: {
          ...errorAnswer,
          ...(endpoint.errors.length > 0 && {
            description: `Refused or failed. Codes beyond the general ones: ${endpoint.errors.join(', ')}`,
          }),
        },
      },
    };
  }

  return {
    openapi: '3.1.0',
    info: { title: `${site.siteName} API`, version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: site.publicUrl }],
    paths,
    components: { schemas, securitySchemes },
  };
}

const isForOperators = ({ admin, scope }: Endpoint) => admin !== undefined || scope !== undefined;

/** How operators authorize a call. */
const securitySchemes: Json = {
  sharedPassword: { type: 'apiKey', in: 'header', name: adminPasswordHeader },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
  apiToken: { type: 'http', scheme: 'bearer' },
};

function parametersOf(place: 'path' | 'query', schema: unknown, schemas: Json): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schema as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: withReferences(value, schemas),
  }));
}

/** The schema with every part that has an `$id` moved to the components and replaced by a reference. */
function withReferences(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withReferences(value, schemas)]));
  if (typeof $id !== 'string') return plain;
  schemas[$id] = plain;
  return { $ref: `#/components/schemas/${$id}` };
}

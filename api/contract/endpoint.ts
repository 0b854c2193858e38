import type { JSONSchema } from 'json-schema-to-ts';
import type { ErrorCode } from './error-codes.ts';
import type { Route } from './routes.ts';

/** One call of the API: where it is, what it takes, what it answers. The server and the client read the same. */
export interface Endpoint extends Route {
  readonly summary: string;
  /** The call is for signed-in people; others are answered 401 before anything else is checked. */
  readonly signedIn?: true;
  /** The call takes an Idempotency-Key: a repeated one is answered with the first result. */
  readonly idempotent?: true;
  /** The call is the operator’s: it carries the admin password in its header, `adminPasswordHeader`. */
  readonly admin?: true;
  readonly params?: JSONSchema;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** Status and schema of the answer when all is well. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly response?: JSONSchema;
  /** The type of the answer where it is not JSON. */
  readonly responseType?: 'text/plain';
  /** Codes beyond the general ones (not found, rate limited, internal). */
  readonly errors: readonly ErrorCode[];
}

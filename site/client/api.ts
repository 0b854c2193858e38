import { clientRoutes } from '#api/client-routes.contract.ts';
import { routeUrl } from '#contract/route.ts';
import type { ClientEndpointName } from '#api/client-routes.contract.ts';
import type { Route } from '#contract/route.ts';
import type { BodyOf, EndpointName, ParamsOf, QueryOf, ResponseOf } from '#api/endpoints.contract.ts';
import type { ErrorBody, ErrorCode } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import {
  adminPasswordHeader,
  challengeHeader,
  deviceIdHeader,
  embeddedHeader,
  emailCodeHeader,
  idempotencyKeyHeader,
  nonceHeader,
  optionOrderHeader,
  referringHostHeader,
  roomHeader,
} from '#contract/vocabulary.ts';
import { deviceId } from './device-id.ts';

/**
 * The client's only error. `message` is 'status: body text' (or the status text); status 0 means that no response
 * arrived. `serverMessage` is the server's message for the visitor.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  readonly serverMessage: string | undefined;
  readonly body: Partial<ErrorBody> | undefined;

  constructor(status: number, text: string, body: Partial<ErrorBody> | undefined, options?: ErrorOptions) {
    super(`${status}: ${text}`, options);
    this.status = status;
    this.body = body;
    this.code = body?.code;
    this.serverMessage = body?.message;
  }
}

/** Path parameters, query, body, and abort signal of a call. */
export interface CallOptions<N extends EndpointName> {
  readonly params?: ParamsOf<N>;
  readonly query?: QueryOf<N>;
  readonly body?: BodyOf<N>;
  /** The body of an upload. */
  readonly file?: Blob;
  readonly signal?: AbortSignal | undefined;
  /** The request completes even if the visitor leaves the page, for example by the link that caused it. */
  readonly keepalive?: boolean;
  /** Created and stored with a draft, see `newIdempotencyKey`. */
  readonly idempotencyKey?: string;
  /** The solution of the challenge that a vote was answered with. */
  readonly challengeSolution?: string | undefined;
  /** The request for a mailed code and the code, that confirm an address for a vote. */
  readonly emailCode?: string | undefined;
  /** What this browser contributes to the receipt of its vote. */
  readonly nonce?: string;
  /** Says that the voter saw the options in an order of this browser’s own. */
  readonly optionOrder?: string;
  /** The host whose link led to this page, sent with a vote; empty: none. */
  readonly referringHost?: string;
  /** The code of the screen in the voter’s room. */
  readonly roomCode?: string | undefined;
  /** Sent by a ballot in another site’s page. */
  readonly embedded?: boolean;
  /** Sent with admin calls. */
  readonly adminPassword?: string;
}

/** Reads that some intermediaries cache despite every header; a changing URL prevents it. */
const uncached = new Set<Route>([clientRoutes.activePolls, clientRoutes.statistics]);

/** Encodes a text for a header: its UTF-8 bytes, one character per byte. */
export function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** The error body in a response text, if it is one. */
export function parseErrorBody(text: string): Partial<ErrorBody> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Calls one endpoint of the contract and returns its response; throws an {@link ApiError} for everything else. */
export function callApi<N extends ClientEndpointName>(name: N, options: CallOptions<N> = {}): Promise<ResponseOf<N>> {
  return callRoute(clientRoutes[name], options);
}

/** Like {@link callApi}, for the route of any endpoint. */
export async function callRoute<N extends EndpointName>(route: Route, options: CallOptions<N>): Promise<ResponseOf<N>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const query: Record<string, string | number | undefined> = { ...options.query };
  if (route.device !== undefined) headers[deviceIdHeader] = deviceId();
  if (options.adminPassword !== undefined) headers[adminPasswordHeader] = headerText(options.adminPassword);
  if (options.challengeSolution !== undefined) headers[challengeHeader] = options.challengeSolution;
  if (options.emailCode !== undefined) headers[emailCodeHeader] = options.emailCode;
  if (options.nonce !== undefined) headers[nonceHeader] = options.nonce;
  if (options.optionOrder !== undefined) headers[optionOrderHeader] = options.optionOrder;
  if (options.idempotencyKey !== undefined) headers[idempotencyKeyHeader] = options.idempotencyKey;
  if (options.referringHost !== undefined) headers[referringHostHeader] = options.referringHost;
  if (options.roomCode !== undefined) headers[roomHeader] = options.roomCode;
  if (options.embedded === true) headers[embeddedHeader] = '1';
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (uncached.has(route)) {
    headers['cache-control'] = 'no-cache, no-store, must-revalidate';
    headers.pragma = 'no-cache';
    query.v = '2';
    query.t = String(Date.now());
  }

  const timeout = AbortSignal.timeout(options.file ? limits.forwardTimeoutMs : limits.callTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(routeUrl(route, options.params, query), {
      method: route.method,
      ...(options.keepalive === true && { keepalive: true }),
      credentials: 'include',
      cache: route.cache === 'public' ? 'default' : 'no-store',
      headers,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.file && { body: options.file }),
    });
    text = await response.text();
  } catch (cause) {
    // An intentional abort is not a failure of the service.
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, 'no response', { code: 'API_UNREACHABLE' }, { cause });
  }
  if (!response.ok) throw new ApiError(response.status, text || response.statusText, parseErrorBody(text));
  if (response.status === 204) return undefined as ResponseOf<N>;
  try {
    return JSON.parse(text) as ResponseOf<N>;
  } catch (cause) {
    // A captive portal or proxy answered 200 with its own page.
    throw new ApiError(0, 'the response is not JSON', { code: 'API_UNREACHABLE' }, { cause });
  }
}

/** Like {@link callApi}, but returns null when nobody is signed in (401). */
export function callApiOrNull<N extends ClientEndpointName>(
  name: N,
  options: CallOptions<N> = {},
): Promise<ResponseOf<N> | null> {
  const response: Promise<ResponseOf<N> | null> = callApi(name, options);
  return response.catch<null>((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
}

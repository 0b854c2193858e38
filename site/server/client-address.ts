import type { IncomingMessage } from 'node:http';
import { forwardedAddress, isLoopback, normalizeAddress } from '#platform/trusted-proxies.ts';
import type { IsProxy } from '#platform/trusted-proxies.ts';

/** Who asks, as far as it can be believed. */
export interface Client {
  readonly address: string;
  readonly proto: string;
  readonly host: string;
}

/**
 * Who stands behind a request. Forwarding headers count only when the connection comes from a proxy of the operator: from
 * this machine unless others are named; then the last address that is not such a proxy is the client's. See
 * decision 032.
 */
export function clientOf(request: IncomingMessage, publicProto: string, isProxy: IsProxy = isLoopback): Client {
  const peer = normalizeAddress(request.socket.remoteAddress ?? '');
  const host = request.headers.host ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  const proto = request.headers['x-forwarded-proto'];
  if ((forwarded === undefined && proto === undefined) || !isProxy(peer))
    return { address: peer, proto: publicProto, host };

  const forwardedHost = request.headers['x-forwarded-host'];
  return {
    address: forwardedAddress(peer, typeof forwarded === 'string' ? forwarded : undefined, isProxy),
    proto: proto === 'https' || proto === 'http' ? proto : publicProto,
    host: typeof forwardedHost === 'string' && /^[\w.:[\]-]+$/.test(forwardedHost) ? forwardedHost : host,
  };
}

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const nearby = new BlockList();
nearby.addSubnet('127.0.0.0', 8);
nearby.addSubnet('10.0.0.0', 8);
nearby.addSubnet('172.16.0.0', 12);
nearby.addSubnet('192.168.0.0', 16);
nearby.addSubnet('169.254.0.0', 16);
nearby.addSubnet('100.64.0.0', 10);
nearby.addAddress('::1', 'ipv6');
nearby.addSubnet('fc00::', 7, 'ipv6');
nearby.addSubnet('fe80::', 10, 'ipv6');

function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function isNearby(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && nearby.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Who asks, as far as it can be believed. */
export interface Client {
  readonly address: string;
  readonly proto: string;
  readonly host: string;
}

/**
 * Who stands behind a request. Forwarding headers count only when the connection comes from this machine or a
 * private network, that is, from a proxy of the operator; then the last address that is not such a proxy is the
 * client's. Decision 032 says why.
 */
export function clientOf(request: IncomingMessage, publicProto: string): Client {
  const peer = plain(request.socket.remoteAddress ?? '');
  const host = request.headers.host ?? '';
  const forwarded = request.headers['x-forwarded-for'];
  const proto = request.headers['x-forwarded-proto'];
  if ((forwarded === undefined && proto === undefined) || !isNearby(peer))
    return { address: peer, proto: publicProto, host };

  let address = peer;
  const hops = (typeof forwarded === 'string' ? forwarded : '').split(',');
  for (let i = hops.length - 1; i >= 0 && isNearby(address); i -= 1) {
    const hop = plain((hops[i] ?? '').trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  const forwardedHost = request.headers['x-forwarded-host'];
  return {
    address,
    proto: proto === 'https' || proto === 'http' ? proto : publicProto,
    host: typeof forwardedHost === 'string' && /^[\w.:[\]-]+$/.test(forwardedHost) ? forwardedHost : host,
  };
}

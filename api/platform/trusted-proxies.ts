import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { siteTexts } from '#texts/site.ts';
import { BlockList, isIP } from 'node:net';

/** An address with an IPv4-mapped IPv6 address as plain IPv4. */
export function normalizeAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** Whether the hostname of a URL is that of this machine. */
export const isThisMachine = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Headers that proxies add to a request. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether a request comes straight from a program on this machine: the site service and correctly configured proxies add
 * headers. The Host must be this machine's as well, so that no web page can direct the operator's browser here.
 */
export function isLocalRequest({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const peer = normalizeAddress(socket.remoteAddress ?? '');
  if (!peer.startsWith('127.') && peer !== '::1') return false;
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  return isThisMachine((headers.host ?? '').replace(/:\d+$/, ''));
}

/** Whether a normalized address is a trusted proxy's, whose forwarding headers count. */
export type IsProxy = (address: string) => boolean;

/** Parses the addresses and networks of `TRUSTED_PROXIES` (handbook decision 033). Throws for anything else. */
export function parseProxies(names: readonly string[]): IsProxy {
  const list = new BlockList();
  for (const name of names) {
    const [address = '', length] = name.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(length)) list.addSubnet(address, Number(length), family);
    else throw new RangeError(`“${name}” is not a valid network.`);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The default of `TRUSTED_PROXIES`: programs on this machine. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1'];
export const isLoopback = parseProxies(loopback);

/**
 * The client's address: the connection's, or, while that is a trusted proxy's, the next one in X-Forwarded-For, read from
 * its end. Entries that a client invented come before those that a proxy added, and are never reached.
 */
export function forwardedAddress(peer: string, forwarded: string | undefined, isProxy: IsProxy = isLoopback): string {
  let address = normalizeAddress(peer);
  if (!forwarded) return address;
  const hops = forwarded.split(',');
  for (let i = hops.length - 1; i >= 0 && (address === '' || isProxy(address)); i -= 1) {
    const hop = normalizeAddress((hops[i] ?? '').trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** The unit that limits count as one address: an IPv4 address, or the /64 of an IPv6 address, which is one household. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined
      ? front
      : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return (
    groups
      .slice(0, 4)
      .map((group) => group.replace(/^0+(?=.)/, ''))
      .join(':') + '::/64'
  );
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 network: what one household, company, or data center usually has. */
export function subnetOf(address: string): string {
  return address.includes(':')
    ? `${address.split(':').slice(0, 3).join(':')}::/48`
    : `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
}

/** The header that carries the request id: from a proxy to the site service, on to the API, and back in the response. */
export const requestIdHeader = 'x-request-id';

const wellFormed = /^[\w-]{8,64}$/;

/**
 * The id of a request in log lines and responses: the one that a trusted proxy sent, if it has 8 to 64 letters, digits,
 * "-" or "_", otherwise a new one. Values sent by anyone else are never logged.
 */
export function requestIdOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isProxy: IsProxy = isLoopback,
): string {
  const sent = headers[requestIdHeader];
  if (typeof sent !== 'string' || !wellFormed.test(sent)) return randomUUID();
  return isProxy(normalizeAddress(socket.remoteAddress ?? '')) ? sent : randomUUID();
}

/**
 * Answers a request with several `Host` headers with 400 (RFC 9112, section 3.2) and closes its connection; Node would take
 * the first one, and a proxy in front perhaps another. True if it did.
 */
export function refuseSeveralHosts({ rawHeaders }: IncomingMessage, response: ServerResponse): boolean {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts < 2) return false;
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(siteTexts.badRequest);
  return true;
}

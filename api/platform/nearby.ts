import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** An address as people write it: IPv4 also where the socket speaks IPv6. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

/** What a proxy says of a request that it hands on. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

/**
 * Whether a request comes from a program on this machine that asks us and nobody in between: the site service and every
 * proxy that is set up as ours are say whom they ask for. The name that was asked for must be this machine's as well, so
 * that no page can lead the operator's own browser here.
 */
export function isDirectAndLocal({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const peer = plainAddress(socket.remoteAddress ?? '');
  if (!peer.startsWith('127.') && peer !== '::1') return false;
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

/** Whether a plain address is that of a proxy of the operator, who may say for whom it asks. */
export type IsProxy = (address: string) => boolean;

/** Addresses and networks as `TRUSTED_PROXIES` names them (handbook decision 032). Throws at what is neither. */
export function proxiesOf(names: readonly string[]): IsProxy {
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

/** The proxies unless `TRUSTED_PROXIES` names others: programs on this machine. */
export const loopback: readonly string[] = ['127.0.0.0/8', '::1'];
export const isLoopback = proxiesOf(loopback);

/**
 * The visitor's address: the connection's, or, while that is a proxy's, what the proxies wrote into X-Forwarded-For, read
 * from its end. What a visitor made up stands further left than what a proxy saw, and is never reached.
 */
export function addressBehind(peer: string, forwarded: string | undefined, isProxy: IsProxy = isLoopback): string {
  let address = plainAddress(peer);
  const hops = (forwarded ?? '').split(',');
  for (let i = hops.length - 1; i >= 0 && (address === '' || isProxy(address)); i -= 1) {
    const hop = plainAddress((hops[i] ?? '').trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** What limits count as one address: an IPv4 address, or the first half of one of IPv6, which belongs to one household. */
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

import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/** Special-purpose IPv4 networks (iana.org/assignments/iana-ipv4-special-registry), multicast, and reserved ones. */
const specialIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
/** Special-purpose networks within global unicast IPv6, among them those that embed IPv4 addresses (Teredo, 6to4). */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const special = listOf([...specialIpv4, ...specialIpv6]);
const globalUnicast = listOf(['2000::/3']);

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether an IP address is on the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** The host is, or resolves to, an address that is not public. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'PRIVATE_ADDRESS';

  constructor(host: string) {
    super(`${host} is not a public address.`);
  }
}

/** Like Node’s look-up, calls back without addresses when it fails. */
type Resolve = (host: string, done: (error: Error | null, addresses?: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (host, done) => lookup(host, { all: true }, done);

/** Resolves names for a connection, which uses the addresses that were checked: a second look-up could give others. */
export function publicLookup(resolve: Resolve = resolveAll): LookupFunction {
  return (host, options, done) =>
    resolve(host, (error, addresses = []) => {
      const problem =
        error ?? (addresses.every(({ address }) => isPublicAddress(address)) ? null : new PrivateAddressError(host));
      const [first] = addresses;
      if (problem !== null || first === undefined) done(problem ?? new PrivateAddressError(host), '', 0);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

/** A host as it is in a URL, without the brackets of IPv6 addresses. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Whether the host of a URL is an IP address that is not public, or a name of this machine; other names are resolved later. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}

/** The first bytes of a response’s body; its end, and whether it has one, doesn’t matter. */
export async function beginningOf(response: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = () => void response.destroy();
  signal.addEventListener('abort', stop);
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= mostBytes) break;
    }
  } catch {
    // The connection broke, or the time was over: the status has arrived.
  } finally {
    signal.removeEventListener('abort', stop);
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

/**
 * Sends a request to an address that somebody typed, without reaching this machine or its network: connects only to public
 * addresses unless `allowPrivate`, reuses no connection, and follows no redirect. Resolves to the response, whose body the
 * caller reads or destroys; rejects with {@link PrivateAddressError}, and with the reason of `signal`.
 */
export async function requestPublicly(
  url: URL,
  {
    method = 'GET',
    headers = {},
    body,
    signal,
    allowPrivate = false,
  }: {
    readonly method?: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
    readonly allowPrivate?: boolean;
  },
): Promise<IncomingMessage> {
  // The connection looks up names only.
  if (!allowPrivate && isPrivateHost(url)) throw new PrivateAddressError(hostOf(url));
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
    signal,
    agent: false,
    ...(!allowPrivate && { lookup: publicLookup() }),
  };
  return new Promise((answered, failed) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    send(url, options, answered)
      .once('error', (error) => failed(signal.aborted ? (signal.reason as Error) : error))
      .end(body);
  });
}

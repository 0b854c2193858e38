import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback, plainAddress } from './nearby.ts';
import type { IsProxy } from './nearby.ts';

/** The header in which a request's id travels: from a proxy to us, on to the API, and back with the answer. */
export const requestIdHeader = 'x-request-id';

const wellFormed = /^[\w-]{8,64}$/;

/**
 * The id under which a request stands in log lines and answers: the one that a proxy of ours sent along, when it is 8 to
 * 64 letters, digits, "-" or "_", else a new one. What strangers send never gets into a log.
 */
export function requestIdOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isProxy: IsProxy = isLoopback,
): string {
  const sent = headers[requestIdHeader];
  if (typeof sent !== 'string' || !wellFormed.test(sent)) return randomUUID();
  return isProxy(plainAddress(socket.remoteAddress ?? '')) ? sent : randomUUID();
}

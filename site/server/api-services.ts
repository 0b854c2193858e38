import { hash } from 'node:crypto';
import { networkOf } from '#platform/trusted-proxies.ts';
import { ApiConnection } from './api-connection.ts';

/** Milliseconds for which an unreachable API service is skipped. */
const apiRestMs = 1_000;

/** One API service, and the connections to it that stay open. */
export class ApiService {
  readonly isHttps: boolean;
  readonly host: string;
  readonly port: number;
  readonly #timeouts: { readonly answerMs: number; readonly connectMs: number };
  readonly #idle: ApiConnection[] = [];
  readonly #open = new Set<ApiConnection>();
  #restsUntil = -Infinity;

  constructor(origin: string, timeouts: { readonly answerMs: number; readonly connectMs: number }) {
    const { protocol, port, hostname } = new URL(origin);
    this.isHttps = protocol === 'https:';
    this.port = Number(port || (this.isHttps ? 443 : 80));
    this.host = hostname.replace(/^\[|\]$/g, '');
    this.#timeouts = timeouts;
  }

  /** Whether it could not be reached a moment ago: others are asked before it. */
  get rests(): boolean {
    return performance.now() < this.#restsUntil;
  }

  rest(): void {
    this.#restsUntil = performance.now() + apiRestMs;
  }

  /** A connection that carries nothing: one that is there, unless a fresh one is wanted. */
  connection(fresh: boolean): ApiConnection {
    while (!fresh) {
      const candidate = this.#idle.pop();
      if (!candidate) break;
      if (candidate.isUsable && performance.now() - candidate.idleSince < candidate.keepAliveMs) return candidate;
      candidate.close();
    }
    const made = new ApiConnection({
      host: this.host,
      port: this.port,
      ...this.#timeouts,
      onIdle: (free) => {
        free.idleSince = performance.now();
        this.#idle.push(free);
      },
      onClose: (closed) => {
        this.#open.delete(closed);
        const place = this.#idle.indexOf(closed);
        if (place >= 0) this.#idle.splice(place, 1);
      },
    });
    this.#open.add(made);
    return made;
  }

  close(): void {
    for (const one of this.#open) one.close();
  }
}

/**
 * The services in the order in which they are asked for a client. An address has one that it comes to first, so that
 * what a process counts of an address stays in one place; who could not be reached a moment ago comes last. See handbook
 * decision 033.
 */
export function servicesFor(services: readonly ApiService[], address: string): readonly ApiService[] {
  if (services.length === 1) return services;
  const first = parseInt(hash('sha256', networkOf(address)).slice(0, 8), 16) % services.length;
  const inOrder = [...services.slice(first), ...services.slice(0, first)];
  return inOrder.some(({ rests }) => rests)
    ? [...inOrder.filter(({ rests }) => !rests), ...inOrder.filter(({ rests }) => rests)]
    : inOrder;
}

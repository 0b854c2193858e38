/**
 * What a page’s plain script requests before React has loaded, so that React doesn’t request it again. A module without
 * React, shared by both.
 */

/** A request that was sent before React had loaded. */
export class EarlyRead<T> {
  /** The response, once it has arrived. */
  data: T | undefined;
  /** When it arrived, in milliseconds. */
  at = 0;
  #pending: Promise<T> | undefined;

  constructor(request: Promise<T>) {
    this.#pending = request;
    request.then(
      (data) => {
        this.data = data;
        this.at = Date.now();
      },
      () => undefined,
    );
  }

  /** The request if it is still pending, for the first caller; later callers send their own. */
  take(): Promise<T> | undefined {
    const pending = this.data === undefined ? this.#pending : undefined;
    this.#pending = undefined;
    return pending;
  }
}

const reads = new Map<string, EarlyRead<unknown>>();

/** Keeps a request for React under a name, replacing an earlier one; returns it. */
export function keepRead<T>(name: string, request: Promise<T>): Promise<T> {
  reads.set(name, new EarlyRead<unknown>(request));
  return request;
}

/** The newest request of this name, once. */
export function takeRead<T>(name: string): EarlyRead<T> | undefined {
  const read = reads.get(name);
  reads.delete(name);
  return read as EarlyRead<T> | undefined;
}

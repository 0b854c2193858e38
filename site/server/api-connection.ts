import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import { ChunkedBody } from './chunked-body.ts';

export type FailureReason = 'unreachable' | 'timeout' | 'broken';

/**
 * What became of a request that was not answered: it never left; it met a connection that was idle, which the API may have
 * closed at that moment; or nobody knows.
 */
export type RequestFate = 'not-sent' | 'idle' | 'unknown';

/** What happens to one exchange besides its answer. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly method: string;
  /** Headers that go on every answer; the same names of the API are left out. */
  readonly alwaysHeaders: readonly string[];
  readonly alwaysNames: ReadonlySet<string>;
  /** The API did not answer: nothing has been sent to the client yet. */
  onFailure(reason: FailureReason, fate: RequestFate): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const headLimit = 64 * 1024;
/** Headers that speak of one connection, not of the answer. Date is set anew by our own server. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'date',
]);

/**
 * One connection to the API that carries one exchange at a time. Written on bare sockets because votes pass through
 * here: Node's HTTP client costs several times more a request (decision 033).
 */
export class ApiConnection {
  /** Milliseconds since start at which it became idle. */
  idleSince = 0;
  readonly #socket: Socket;
  readonly #onIdle: (connection: ApiConnection) => void;
  #exchange: Exchange | null = null;
  #connected = false;
  #used = false;
  #answered = false;
  #head: Buffer | null = null;
  /** Bytes of the body that are still to come, a decoder of chunks, or 'close' when the end of the connection ends it. */
  #body: number | ChunkedBody | 'close' | null = null;
  #keepAlive = true;
  #keepAliveMs = 4_000;

  constructor(options: {
    readonly host: string;
    readonly port: number;
    /** Milliseconds that a connection, and then an answer, may take to come about. */
    readonly connectMs: number;
    readonly answerMs: number;
    readonly onIdle: (connection: ApiConnection) => void;
    readonly onClose: (connection: ApiConnection) => void;
  }) {
    const { host, port, connectMs, answerMs, onClose } = options;
    this.#onIdle = options.onIdle;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.setTimeout(connectMs, () => {
      this.#fail('timeout');
    });
    this.#socket.once('connect', () => {
      this.#connected = true;
      this.#socket.setTimeout(answerMs);
    });
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch {
        this.#fail('broken');
      }
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('end', () => {
      this.#end();
    });
    this.#socket.on('close', () => {
      this.#fail(this.#used ? 'broken' : 'unreachable');
      onClose(this);
    });
  }

  /** How long the API keeps an idle connection, as far as we know; a second is left for messages on their way. */
  get keepAliveMs(): number {
    return this.#keepAliveMs;
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /** Sends a request whose head is finished and whose body, if any, is complete. */
  send(exchange: Exchange, head: string, body: Buffer | null): void {
    this.#exchange = exchange;
    this.#answered = false;
    const { response } = exchange;
    response.once('close', this.#onClientGone);
    if (body === null) {
      this.#socket.write(head, 'latin1');
    } else {
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  readonly #onClientGone = () => {
    // The client left before its answer was complete: what still comes must not reach anybody else.
    this.#exchange = null;
    this.#socket.destroy();
  };

  #fail(reason: FailureReason): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#socket.destroy();
    if (!exchange) return;
    exchange.response.off('close', this.#onClientGone);
    if (exchange.response.headersSent) exchange.response.destroy();
    else if (!this.#connected) exchange.onFailure(reason, 'not-sent');
    else exchange.onFailure(reason, this.#used && !this.#answered && reason === 'broken' ? 'idle' : 'unknown');
  }

  #end(): void {
    if (this.#body === 'close') {
      this.#keepAlive = false;
      this.#finish();
    } else this.#fail(this.#used ? 'broken' : 'unreachable');
  }

  #finish(): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#body = null;
    this.#used = true;
    if (exchange) {
      exchange.response.off('close', this.#onClientGone);
      if (!exchange.response.writableEnded) exchange.response.end();
    }
    // A slow reader may have paused us; the next exchange must not wait for it.
    this.#socket.resume();
    if (this.#keepAlive && this.isUsable) this.#onIdle(this);
    else this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const exchange = this.#exchange;
    if (!exchange) {
      this.#socket.destroy();
      return;
    }
    this.#answered = true;
    if (this.#body !== null) {
      this.#readBody(exchange, chunk);
      return;
    }
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      if (bytes.length > headLimit) throw new Error('The response head is too long.');
      this.#head = bytes;
      return;
    }
    this.#head = null;
    const rest = bytes.subarray(end + headEnd.length);
    if (this.#readHead(exchange, bytes.toString('latin1', 0, end))) this.#readBody(exchange, rest);
    // An interim answer (1xx) stands before the real one.
    else if (rest.length > 0) this.#read(rest);
  }

  /** False for an interim answer. */
  #readHead(exchange: Exchange, head: string): boolean {
    const lines = head.split('\r\n');
    const status = Number(lines[0]?.slice(9, 12));
    if (!lines[0]?.startsWith('HTTP/1.') || !(status >= 100 && status <= 599)) throw new Error('Not an HTTP response.');
    if (status < 200) return false;
    const headers: string[] = [];
    let length: number | null = null;
    let chunked = false;
    this.#keepAlive = lines[0].startsWith('HTTP/1.1');
    for (let i = 1; i < lines.length; i += 1) {
      const line = lines[i]!;
      const colon = line.indexOf(':');
      const name = line.slice(0, colon);
      const lower = name.toLowerCase();
      const value = line.slice(colon + 1).trim();
      if (connectionHeaders.has(lower)) {
        if (lower === 'transfer-encoding') chunked = true;
        else if (lower === 'connection') this.#keepAlive &&= value.toLowerCase() !== 'close';
        else if (lower === 'keep-alive') {
          const seconds = Number(/timeout=(\d+)/.exec(value)?.[1]);
          if (seconds > 0) this.#keepAliveMs = Math.max(0, Math.min(seconds - 1, 30) * 1000);
        }
        continue;
      }
      if (lower === 'content-length') {
        length = Number(value);
        if (!Number.isSafeInteger(length) || length < 0) throw new Error('Invalid Content-Length.');
      }
      if (!exchange.alwaysNames.has(lower)) headers.push(name, value);
    }
    const empty = exchange.method === 'HEAD' || status === 204 || status === 304;
    this.#body = empty ? 0 : chunked ? new ChunkedBody() : (length ?? 'close');
    exchange.response.writeHead(status, [...headers, ...exchange.alwaysHeaders]);
    return true;
  }

  #readBody(exchange: Exchange, chunk: Buffer): void {
    const body = this.#body;
    const { response } = exchange;
    if (body instanceof ChunkedBody) {
      for (const part of body.read(chunk)) this.#write(response, part);
      if (body.ended) this.#finish();
    } else if (body === 'close') {
      this.#write(response, chunk);
    } else if (body !== null) {
      if (chunk.length > body) throw new Error('More bytes than Content-Length.');
      if (chunk.length === body) {
        response.end(chunk);
        this.#finish();
      } else {
        this.#body = body - chunk.length;
        if (chunk.length > 0) this.#write(response, chunk);
      }
    }
  }

  #write(response: ServerResponse, chunk: Buffer): void {
    if (response.write(chunk)) return;
    // A slow reader slows the API down instead of filling our memory.
    this.#socket.pause();
    response.once('drain', () => this.#socket.resume());
  }
}

import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

type FailureReason = 'unreachable' | 'timeout' | 'broken';

/**
 * What happened to a request without a response: it was never sent; it was sent on an idle connection, which the API may
 * have closed at that moment; or it is unknown.
 */
type DeliveryState = 'not-sent' | 'idle' | 'unknown';

/** One request and where its response goes. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly method: string;
  /** Headers of every response, which replace the API’s headers of the same names. */
  readonly alwaysHeaders: readonly string[];
  readonly alwaysNames: ReadonlySet<string>;
  /** Called when the API did not respond; nothing has been sent to the client yet. */
  onFailure(reason: FailureReason, fate: DeliveryState): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const maxHeadBytes = 64 * 1024;
/** Hop-by-hop headers, and Date, which our own server sets. */
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
 * One connection to the API that carries one exchange at a time. It speaks HTTP over a plain socket because every vote
 * passes through here and HTTP clients cost more (decision 033).
 */
export class ApiConnection {
  /** When it became idle, in milliseconds since the process started. */
  idleSince = 0;
  readonly #socket: Socket;
  readonly #onIdle: (connection: ApiConnection) => void;
  #exchange: Exchange | null = null;
  #connected = false;
  #used = false;
  #responseStarted = false;
  #head: Buffer | null = null;
  /** The remaining bytes of the body, its chunk decoder, or 'close' if the end of the connection ends it. */
  #body: number | ChunkedBody | 'close' | null = null;
  #keepAlive = true;
  #keepAliveMs = 4_000;

  constructor(options: {
    readonly host: string;
    readonly port: number;
    /** Time limits for connecting and for each wait during the response, in milliseconds. */
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

  /** How long an idle connection may be reused: the API’s own time limit minus one second. */
  get keepAliveMs(): number {
    return this.#keepAliveMs;
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  /** Sends a request with its serialized head and complete body. */
  send(exchange: Exchange, head: string, body: Buffer | null): void {
    this.#exchange = exchange;
    this.#responseStarted = false;
    const { response } = exchange;
    response.once('close', this.#onClientGone);
    // One text is written at once; a text and bytes would be gathered first, which costs more.
    this.#socket.write(body === null ? head : head + body.toString('latin1'), 'latin1');
  }

  close(): void {
    this.#socket.destroy();
  }

  readonly #onClientGone = () => {
    // The client disconnected: the rest of its response must not reach another client.
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
    else exchange.onFailure(reason, this.#used && !this.#responseStarted && reason === 'broken' ? 'idle' : 'unknown');
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
    // A slow client may have paused the socket; the next exchange must not wait for it.
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
    this.#responseStarted = true;
    if (this.#body !== null) {
      this.#readBody(exchange, chunk);
      return;
    }
    const bytes = this.#head === null ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(headEnd);
    if (end < 0) {
      if (bytes.length > maxHeadBytes) throw new Error('The response head is too long.');
      this.#head = bytes;
      return;
    }
    this.#head = null;
    const rest = bytes.subarray(end + headEnd.length);
    if (this.#readHead(exchange, bytes.toString('latin1', 0, end))) this.#readBody(exchange, rest);
    // An interim response (1xx) precedes the final one.
    else if (rest.length > 0) this.#read(rest);
  }

  /** Returns false for an interim response. */
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
        // Node sends a text together with the head.
        response.end(chunk.toString('latin1'), 'latin1');
        this.#finish();
      } else {
        this.#body = body - chunk.length;
        if (chunk.length > 0) this.#write(response, chunk);
      }
    }
  }

  #write(response: ServerResponse, chunk: Buffer): void {
    if (response.write(chunk)) return;
    // Backpressure: a slow client slows the API down instead of filling our memory.
    this.#socket.pause();
    response.once('drain', () => this.#socket.resume());
  }
}

/** Decodes a chunked body incrementally. */
export class ChunkedBody {
  ended = false;
  #state: 'size' | 'data' | 'after-data' | 'trailer' = 'size';
  #line = '';
  #remaining = 0;

  /** Decodes the next piece of the stream; throws if the framing is invalid or bytes follow the end. */
  read(piece: Buffer): Buffer[] {
    const parts: Buffer[] = [];
    let offset = 0;
    while (offset < piece.length) {
      if (this.ended) throw new Error('Bytes after the end of a chunked body.');
      if (this.#state === 'data') {
        const part = piece.subarray(offset, offset + this.#remaining);
        parts.push(part);
        offset += part.length;
        this.#remaining -= part.length;
        if (this.#remaining === 0) this.#state = 'after-data';
        continue;
      }
      const end = piece.indexOf(10, offset);
      const stop = end < 0 ? piece.length : end;
      this.#line += piece.toString('latin1', offset, stop);
      offset = stop + 1;
      if (this.#line.length > 8_192) throw new Error('A line of a chunked body is too long.');
      if (end >= 0) this.#endOfLine();
    }
    return parts;
  }

  #endOfLine(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#state === 'size') {
      const size = /^[0-9a-f]{1,12}/i.exec(line)?.[0];
      if (size === undefined) throw new Error('A chunk has no valid size.');
      this.#remaining = Number.parseInt(size, 16);
      this.#state = this.#remaining === 0 ? 'trailer' : 'data';
    } else if (this.#state === 'after-data') {
      if (line !== '') throw new Error('A chunk is longer than its size.');
      this.#state = 'size';
    } else if (line === '') {
      this.ended = true;
    }
  }
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/** One kept connection to a server, on which one request is under way at a time. */
export interface Connection {
  /** Sends a request; tells the status and the milliseconds when the whole answer has arrived. */
  send(request: Buffer, answered: (status: number, ms: number) => void): void;
  /** Whom to tell when the connection breaks, or an answer has no length. */
  onFailed(failed: (error: Error) => void): void;
  close(): void;
}

/** Opens a connection; of answers, it looks at nothing but status and length. */
export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let fail: (error: Error) => void = () => undefined;
  let answered: (status: number, ms: number) => void = () => undefined;
  let sentAt = 0;
  let status = 0;
  /** Bytes of the answer that are still to come; -1 while its head is incomplete. */
  let missing = -1;
  let head = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    if (missing === -1) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      const length = status === 304 ? '0' : /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (length === undefined) {
        fail(new Error(`The generator needs a Content-Length: ${text}`));
        return;
      }
      missing = Number(length) - (head.length - end - 4);
      head = head.subarray(0, 0);
    } else missing -= chunk.length;
    if (missing > 0) return;
    missing = -1;
    answered(status, performance.now() - sentAt);
  });
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('The server closed a connection.')));
  return {
    send(request, whenAnswered) {
      answered = whenAnswered;
      sentAt = performance.now();
      socket.write(request);
    },
    onFailed: (failed) => void (fail = failed),
    close() {
      fail = () => undefined;
      socket.destroy();
    },
  };
}

/** A device id like those that browsers make. */
export function newDeviceId(): string {
  return `device_${BigInt(`0x${randomBytes(22).toString('hex')}`).toString(36)}`;
}

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly to: readonly string[];
  /** The header lines, unfolded. */
  readonly headers: string;
  readonly text: string;
  readonly html: string;
}

/** A real SMTP server on a free port of this machine. */
export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** The response to the next messages: a refusal of the sender or the recipient for good, of the message for now, or none. */
  refuse: 'sender' | 'recipient' | 'message' | null;
  close(): Promise<void>;
}

/** Starts an SMTP server that keeps what it receives. */
export async function startMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) =>
      mail.refuse === 'sender' ? done(Object.assign(new Error('Not here'), { responseCode: 554 })) : done(),
    onRcptTo: (_address, _session, done) =>
      mail.refuse === 'recipient' ? done(Object.assign(new Error('No such mailbox'), { responseCode: 550 })) : done(),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        if (mail.refuse === 'message') {
          done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
          return;
        }
        mail.received.push(
          parsed(
            session.envelope.rcptTo.map(({ address }) => address),
            Buffer.concat(chunks),
          ),
        );
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.server.address() as AddressInfo;
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    refuse: null,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return mail;
}

function parsed(to: readonly string[], raw: Buffer): ReceivedMail {
  const [head = '', ...rest] = raw.toString('latin1').split('\r\n\r\n');
  const headers = head.replace(/\r\n[ \t]+/g, ' ');
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  const part = (type: string) => decoded(parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? '');
  return { to, headers, text: part('text/plain'), html: part('text/html') };
}

/** The text of a MIME part. */
function decoded(part: string): string {
  const start = part.indexOf('\r\n\r\n') + 4;
  const body = part.slice(start);
  if (/Content-Transfer-Encoding: base64/i.test(part))
    return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n');
  const bytes = /Content-Transfer-Encoding: quoted-printable/i.test(part)
    ? body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : body;
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

/** The secret of the link in a mail. */
export const secretIn = (mail: { readonly text: string }, name: 'reset' | 'confirm' | 'invite') =>
  new RegExp(`#${name}=([\\w-]{43})`).exec(mail.text)?.[1] ?? '';

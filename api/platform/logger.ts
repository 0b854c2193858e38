import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { LogLevel } from './config.ts';

/** Structured log lines. Device ids, cookies, addresses and passwords never go in. */
export type Logger = pino.Logger;

/** Names under which somebody might log a secret one day; they are left out wherever they stand in a line. */
const secretNames = ['password', 'cookie', 'authorization', 'headers', 'deviceId', 'fingerprint', 'voterFingerprint'];
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`]);

const deviceIds = /device_[0-9a-z]{8,}/g;
/** Behind a connection address, a database's error may quote the row that it refused. */
const withoutSecrets = (text: string) =>
  text.replace(deviceIds, 'device_…').replace(/(:\/\/[^:/@\s]*):[^@/\s]*@/g, '$1:…@');

/**
 * An error without what drivers hang on it: a database's `detail` names the values of a row, a socket's `address`
 * whose it was.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecrets(error) : typeof error;
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: withoutSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack: withoutSecrets(stack) }),
    ...(cause instanceof Error && { cause: plainError(cause) }),
  };
}

const settings = {
  serializers: { err: plainError },
  redact: { paths: secretPaths, remove: true },
} as const;

/**
 * A logger that writes to the standard error stream: one line that a person can read, or, where another program
 * collects the lines (NODE_ENV=production and no terminal), one JSON object a line. `destination` is for tests.
 */
export function createLogger(
  service: string,
  options: { level?: LogLevel | 'silent'; json?: boolean; destination?: pino.DestinationStream } = {},
): Logger {
  const { level = 'info', json = process.env.NODE_ENV === 'production' && !process.stderr.isTTY } = options;
  const named = { ...settings, level, base: { service } };
  const destination = options.destination ?? pino.destination({ dest: 2, sync: true });
  if (json) return pino(named, destination);
  const shown = prettyFactory({
    colorize: options.destination === undefined && process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    // These stand in the text already.
    ignore: 'service,call,path,method,status,code,ms',
    messageFormat: '{service}: {msg}',
    singleLine: true,
  });
  return pino(named, {
    write(line) {
      destination.write(shown(line));
    },
  });
}

/** A logger for tests and for places where nobody listens. */
export const silentLogger: Logger = pino({ level: 'silent' });

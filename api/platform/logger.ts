import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { LogLevel } from './config.ts';

/** Structured log lines. Device ids, cookies, addresses and passwords never go in. */
export type Logger = pino.Logger;

/** Property names that may hold secrets; they are removed wherever they occur in a line. */
const secretNames = ['password', 'cookie', 'authorization', 'headers', 'deviceId', 'fingerprint', 'voterFingerprint'];
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`]);

const deviceIds = /device_[0-9a-z]{8,}/g;
/** Removes device ids, and passwords in connection URLs. */
const withoutSecrets = (text: string) =>
  text.replace(deviceIds, 'device_…').replace(/(:\/\/[^:/@\s]*):[^@/\s]*@/g, '$1:…@');

/**
 * An error without the properties that drivers add: a database's `detail` contains values of a row, a socket's `address`
 * that of a visitor.
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
 * Creates a logger to standard error: human-readable lines or, when a program collects them (NODE_ENV=production and no
 * terminal), one JSON object per line. `destination` is for tests.
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
    // The message contains these already.
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

/** A logger that writes nothing. */
export const silentLogger: Logger = pino({ level: 'silent' });

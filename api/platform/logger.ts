import pino from 'pino';
import pretty from 'pino-pretty';

/** Structured log lines. Device ids, cookies, addresses and passwords never go in. */
export type Logger = pino.Logger;

/**
 * A logger that writes to the standard error stream: one line that a person can read, or, where another program
 * collects the lines (NODE_ENV=production), one JSON object a line.
 */
export function createLogger(service: string, options: { level?: string; production?: boolean } = {}): Logger {
  const { level = 'info', production = process.env.NODE_ENV === 'production' } = options;
  const settings = { level, base: { service } };
  if (production) return pino(settings, pino.destination({ dest: 2, sync: true }));
  return pino(
    settings,
    pretty({
      destination: 2,
      sync: true,
      colorize: process.stderr.isTTY,
      translateTime: 'SYS:HH:MM:ss',
      ignore: 'service',
      messageFormat: '{service}: {msg}',
      singleLine: true,
    }),
  );
}

/** A logger for tests and for places where nobody listens. */
export const silentLogger: Logger = pino({ level: 'silent' });

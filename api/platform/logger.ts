import pino from 'pino';

/** Structured log lines. Device ids, cookies, addresses and passwords never go in. */
export type Logger = pino.Logger;

/** A logger that writes to the standard error stream, one JSON object a line. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({ name: service, level, base: { service } }, pino.destination({ dest: 2, sync: true }));
}

/** A logger for tests and for places where nobody listens. */
export const silentLogger: Logger = pino({ level: 'silent' });

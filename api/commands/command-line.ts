import { once } from 'node:events';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { ConfigError } from '#platform/config.ts';
import type { Config, LogLevel } from '#platform/config.ts';
import { errorOf } from '#platform/errors.ts';
import { unreachableReason } from './prepare-database.ts';
import { startTexts } from '#texts/start.ts';

/** Milliseconds within which a second signal is a duplicate of the first. */
const secondSignalMs = 500;
/** Milliseconds between checks whether npm's shell is still running. */
const parentLookMs = 500;

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = {
  [K in keyof O]?: O[K] extends { type: 'boolean' } ? boolean : string;
};

/** A command that a user types. `run` answers the exit code, or nothing for 0. */
export interface Command<O extends Options> {
  /** What --help prints. */
  readonly help: string;
  readonly options: O;
  /** Whether it takes words beside its options, such as the name of a file. */
  readonly positionals?: boolean;
  run(values: Values<O>, positionals: readonly string[]): Promise<number | undefined>;
}

/**
 * Runs a command: --help, unknown options, and failures as a sentence. A wrong setting is the user's to correct and
 * gets no stack; anything unexpected keeps its own.
 */
export async function runCommand<O extends Options>(command: Command<O>): Promise<void> {
  try {
    let values, positionals;
    try {
      ({ values, positionals } = parseArgs({
        options: { ...command.options, help: { type: 'boolean' } },
        allowPositionals: command.positionals ?? false,
        strict: true,
      }));
    } catch (error) {
      console.error(`${(error as Error).message}\n\n${command.help}`);
      process.exitCode = 2;
      return;
    }
    if ((values as { help?: boolean }).help === true) {
      console.log(command.help);
      return;
    }
    process.exitCode = (await command.run(values, positionals)) ?? 0;
  } catch (error) {
    const reason = error instanceof ConfigError ? error : unreachableReason(error);
    console.error(reason?.message ?? error);
    process.exitCode = 1;
  } finally {
    // The channel to the process that started this one would keep it alive.
    if (process.connected) process.disconnect();
  }
}

/** Under npm start a person reads along, who needs to hear of trouble only. */
export function serviceLogLevel({ logLevel }: Pick<Config, 'logLevel'>): LogLevel {
  return logLevel ?? (process.send ? 'warn' : 'info');
}

/**
 * An abort signal that fires at the first SIGINT or SIGTERM, or when the process that started this one is gone. The same
 * signal once more ends the process at once, whatever it was about to finish. npm hands Ctrl+C on a second time in the same
 * moment, which changes nothing; nor does SIGTERM from npm start's command to a service that has seen Ctrl+C as well.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const [name, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    let first: number | undefined;
    process.on(name, () => {
      first ??= performance.now();
      if (performance.now() - first > secondSignalMs) process.exit(128 + number);
      controller.abort(new Error(name));
    });
  }
  process.on('disconnect', () => {
    controller.abort(new Error('disconnect'));
  });
  // npm hands SIGTERM to the shell between it and us, which ends and tells nobody.
  if (process.env.npm_lifecycle_event !== undefined && !process.send) {
    const parent = process.ppid;
    const look = () => {
      if (process.ppid !== parent) controller.abort(new Error('the shell that started this process has exited'));
    };
    setInterval(look, parentLookMs).unref();
  }
  return controller.signal;
}

/** Resolves when the signal fires. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Turns the failure to listen on a port into a sentence that names the variable. */
export function listenFailure(error: unknown, variable: 'PORT' | 'API_PORT', port: number, host: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new ConfigError(startTexts.portTaken(variable, port));
  if (code === 'EACCES') return new ConfigError(startTexts.portRefused(variable, port));
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigError(startTexts.hostUnknown(variable === 'PORT' ? 'HOST' : 'API_HOST', host));
  return errorOf(error);
}

/** Tells early, before anything is built, that a port is taken. */
export async function assertPortFree(variable: 'PORT' | 'API_PORT', port: number, host: string): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen({ port, host, exclusive: true }), 'listening');
  } catch (error) {
    throw listenFailure(error, variable, port, host);
  }
  probe.close();
  await once(probe, 'close');
}

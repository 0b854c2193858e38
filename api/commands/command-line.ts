import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { compileCache, ConfigError } from '#platform/config.ts';
import type { Config, LogLevel } from '#platform/config.ts';
import { errorOf } from '#platform/errors.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { startTexts } from '#texts/start.ts';

/** Milliseconds within which a second signal is a duplicate of the first. */
const secondSignalMs = 500;
/** Milliseconds between checks whether npm's shell is still running. */
const parentLookMs = 500;

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = {
  [K in keyof O]?: O[K] extends { type: 'boolean' } ? boolean : string;
};

/** A command-line program; `run` returns the exit code, or nothing for 0. */
export interface Command<O extends Options> {
  readonly help: string;
  readonly options: O;
  /** Whether it takes positional arguments, such as a file name. */
  readonly positionals?: boolean;
  run(values: Values<O>, positionals: readonly string[]): Promise<number | undefined>;
}

/**
 * Runs a command and handles --help, unknown options, and errors. A wrong setting is the user’s to correct and prints
 * no stack; anything unexpected does.
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
    if (error instanceof ServiceEnded) {
      process.exitCode = error.code;
      return;
    }
    // Only where it is needed: most services would keep the code of databases in memory for nothing.
    const reason =
      error instanceof ConfigError ? error : (await import('#platform/database-problem.ts')).databaseRefusal(error);
    console.error(reason?.message ?? error);
    process.exitCode = 1;
  } finally {
    // The IPC channel would keep this process alive.
    if (process.connected) process.disconnect();
  }
}

/** A service ended before it was ready; it has already printed the reason. */
export class ServiceEnded extends Error {
  override readonly name = 'ServiceEnded';
  readonly code: number;

  constructor(code: number) {
    super(`A service ended with code ${code} before it was ready.`);
    this.code = code;
  }
}

/** Under npm start a person reads the output and needs only warnings. */
export function serviceLogLevel({ logLevel }: Pick<Config, 'logLevel'>): LogLevel {
  return logLevel ?? (process.send ? 'warn' : 'info');
}

/**
 * An abort signal that fires at the first SIGINT or SIGTERM, or when the parent process is gone. The same signal again
 * exits immediately, except within the same moment: npm forwards Ctrl+C a second time, and npm start sends SIGTERM to a
 * service that has already received Ctrl+C.
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
  // npm sends SIGTERM to the shell between it and this process; the shell exits without forwarding it.
  if (process.env.npm_lifecycle_event !== undefined && !process.send) {
    const parent = process.ppid;
    const checkParent = () => {
      if (process.ppid !== parent) controller.abort(new Error('the shell that started this process has exited'));
    };
    setInterval(checkParent, parentLookMs).unref();
  }
  return controller.signal;
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The message for a failure to listen on a port, which names the variable. */
export function listenFailure(error: unknown, variable: 'PORT' | 'API_PORT', port: number, host: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return new ConfigError(startTexts.portTaken(variable, port));
  if (code === 'EACCES') return new ConfigError(startTexts.portRefused(variable, port));
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ConfigError(startTexts.hostUnknown(variable === 'PORT' ? 'HOST' : 'API_HOST', host));
  return errorOf(error);
}

/**
 * Creates the data folder if it is missing, and has child processes keep compiled code in it; throws a {@link ConfigError}
 * if it isn’t writable.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
  // Otherwise each would load what removes types from code: 25 MB and a third of a second.
  process.env.NODE_COMPILE_CACHE ??= compileCache(folder);
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new ConfigError(startTexts.dataDirRefused(folder, (error as NodeJS.ErrnoException).code ?? ''));
  }
}

/** Fails early, before anything is built, if a port is taken. */
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

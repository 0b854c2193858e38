import { format } from 'node:util';
import { commandEnvironment, commandScript } from './empty-places.ts';
import type { CommandAnswer, Place } from './empty-places.ts';

type Process = Pick<NodeJS.Process, 'argv' | 'exitCode'> & { readonly disconnect: () => void };

const exitCodeNow = () => Number(process.exitCode ?? 0);

let runs = 0;
let isRunning = false;

/** Runs a command on a place in this process; not `backup`, which lowers the priority of its process. */
export function runCommandHere(name: string, place: Partial<Place>, ...words: string[]): Promise<CommandAnswer> {
  if (name === 'backup') throw new Error('Run backup as a process.');
  return runHere(commandScript(name), words, commandEnvironment(place));
}

/**
 * Runs a program to its end in this process, without the second that Node takes to load it: for what it does and says,
 * where another test runs it as a process. One at a time.
 */
export async function runHere(
  script: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandAnswer> {
  if (isRunning) throw new Error(`Run ${script} as a process.`);
  isRunning = true;
  const { argv, exitCode, disconnect } = process as Process;
  const environment = { ...process.env };
  const umask = process.umask(0o022);
  const { log, error } = console;
  const said = { log: '', error: '' };
  const hear = (stream: keyof typeof said) => {
    console[stream] = (...values) => {
      said[stream] += `${format(...values)}\n`;
    };
  };
  hear('log');
  hear('error');
  Object.assign(process.env, settings);
  process.argv = [process.execPath, script, ...words];
  process.exitCode = undefined;
  // A command ends its connection to the process that started it: here, to the test run.
  process.disconnect = () => undefined;
  try {
    // A module runs once: with another query it is another module.
    await import(/* @vite-ignore */ `${script}?run=${(runs += 1)}`);
    return { code: exitCodeNow(), output: said.log, complaint: said.error };
  } finally {
    Object.assign(console, { log, error });
    process.argv = argv;
    process.exitCode = exitCode;
    process.disconnect = disconnect;
    process.umask(umask);
    for (const key of Object.keys(process.env)) if (!(key in environment)) Reflect.deleteProperty(process.env, key);
    Object.assign(process.env, environment);
    isRunning = false;
  }
}

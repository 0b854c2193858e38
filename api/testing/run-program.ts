import { spawn } from 'node:child_process';

/** Starts a program with Node; `output` collects what it prints, and `ended` resolves with its exit code. */
export function runProgram(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const result = { child, output: '', ended: new Promise<number | null>((ended) => child.once('close', ended)) };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (result.output += text));
  return result;
}

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Answers } from './load.ts';

const run = promisify(execFile);

/** Whether the load generator wrk is installed; `wrk -v` exits with 1. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Requests pages one after the other with wrk, which takes a fraction of our generator’s CPU time. */
export async function runWrk(load: {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly paths: readonly string[];
  readonly encoding: string;
}): Promise<Answers> {
  const { origin, connections, seconds, paths, encoding } = load;
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-wrk-'));
  try {
    const script = join(folder, 'pages.lua');
    await writeFile(
      script,
      `local requests = {}
local n = 0
function init()
  for i, path in ipairs({${paths.map((path) => JSON.stringify(path)).join()}}) do
    requests[i] = wrk.format("GET", path, {["Accept-Encoding"] = "${encoding}"})
  end
end
function request()
  n = n % #requests + 1
  return requests[n]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d %d", summary.requests, failed, summary.duration,
    latency:percentile(50), latency:percentile(99), latency.max))
end
`,
    );
    const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin];
    const { stdout } = await run('wrk', words);
    const [, ...figures] = /^result (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
    if (figures.length === 0) throw new Error(`wrk printed no result: ${stdout}`);
    // All times are in microseconds.
    const [requests, refused, duration, p50, p99, max] = figures.map(Number) as [
      ...[number, number, number, number, number, number],
    ];
    const accepted = requests - refused;
    const perSecond = (accepted * 1e6) / duration;
    return { accepted, refused, perSecond, p50: p50 / 1_000, p99: p99 / 1_000, max: max / 1_000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

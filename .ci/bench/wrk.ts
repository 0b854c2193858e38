import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Answers } from './load.ts';

/** Whether the load generator wrk is installed; `wrk -v` exits with 1. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** Requests pages one after the other with wrk, which takes a fraction of our generator’s CPU time. */
export async function runWrk(load: {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly paths: readonly string[];
}): Promise<Answers> {
  const { origin, connections, seconds, paths } = load;
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-wrk-'));
  try {
    const script = join(folder, 'pages.lua');
    await writeFile(
      script,
      `local requests = {}
local n = 0
function init()
  for i, path in ipairs({${paths.map((path) => JSON.stringify(path)).join()}}) do
    requests[i] = wrk.format("GET", path, {["Accept-Encoding"] = "gzip"})
  end
end
function request()
  n = n % #requests + 1
  return requests[n]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("result %d %d %d %d %d", summary.requests, failed, summary.duration,
    latency:percentile(50), latency:percentile(99)))
end
`,
    );
    const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin];
    const { stdout } = await promisify(execFile)('wrk', words);
    const [, ...figures] = /^result (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? [];
    const [requests = NaN, refused = NaN, duration = NaN, p50 = NaN, p99 = NaN] = figures.map(Number);
    if (Number.isNaN(requests)) throw new Error(`wrk printed no result: ${stdout}`);
    const accepted = requests - refused;
    // All times are in microseconds.
    return { accepted, refused, perSecond: (accepted * 1e6) / duration, p50: p50 / 1_000, p99: p99 / 1_000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

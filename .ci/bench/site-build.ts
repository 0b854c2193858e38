import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { canMeasureMemory, residentMemory } from '#api/testing/resident-memory.ts';

/** The cost of a build. */
export interface SiteBuild {
  readonly seconds: number;
  /** The peak memory of all its processes in bytes; null if it can’t be measured. */
  readonly peak: number | null;
}

/** Builds and publishes the site with the product’s command. */
export async function buildSite(env: { readonly DATA_DIR: string; readonly DATABASE_URL: string }): Promise<SiteBuild> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(projectFolder, 'api/commands/build.ts')], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const memory = watchMemory(child.pid ?? 0);
  const [code] = (await once(child, 'exit')) as [number | null];
  const peak = memory.stop();
  if (code !== 0) throw new Error(`The build of the site ended with code ${code ?? 'none'}.`);
  return { seconds: (performance.now() - started) / 1_000, peak };
}

/** The sampling interval in milliseconds. */
const between = 200;

/**
 * Samples the memory of a process and its descendants. `stop` returns the peak, or null if it can’t be measured; shared
 * pages count twice.
 */
export function watchMemory(pid: number): { stop(): number | null } {
  let most = 0;
  let isSampling = false;
  const sample = async () => {
    if (isSampling) return;
    isSampling = true;
    most = Math.max(most, await memoryOfAll(pid));
    isSampling = false;
  };
  const timer = canMeasureMemory ? setInterval(() => void sample(), between) : undefined;
  return {
    stop() {
      clearInterval(timer);
      return most > 0 ? most : null;
    },
  };
}

/** A process that has exited counts as 0. */
async function memoryOfAll(pid: number): Promise<number> {
  try {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const theirs = await Promise.all(children.split(' ').map(Number).filter(Boolean).map(memoryOfAll));
    // A zombie process is still listed, without a figure.
    const { now } = await residentMemory(pid);
    return theirs.reduce((sum, one) => sum + one, Number.isNaN(now) ? 0 : now);
  } catch {
    return 0;
  }
}

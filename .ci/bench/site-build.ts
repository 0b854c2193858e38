import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { canMeasureMemory } from '#api/testing/resident-memory.ts';
import { descendants } from './server-process.ts';

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

/** The sampling interval in milliseconds. Each sample walks the page tables of all processes. */
const between = 500;

/**
 * Samples the memory of a process’s descendants, and of itself unless `descendantsOnly`. `stop` returns the peak in bytes,
 * or null if it can’t be measured; memory that processes share counts once.
 */
export function watchMemory(pid: number, { descendantsOnly = false } = {}): { stop(): number | null } {
  let most = 0;
  let isSampling = false;
  const sample = async () => {
    if (isSampling) return;
    isSampling = true;
    const pids = [...(descendantsOnly ? [] : [pid]), ...(await descendants(pid))];
    const each = await Promise.all(pids.map(ownMemory));
    most = Math.max(
      most,
      each.reduce((sum, one) => sum + one, 0),
    );
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

/** The proportional set size of a process in bytes; 0 if it has exited. */
async function ownMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024;
}

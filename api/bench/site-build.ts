import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { watchMemory } from './peak-memory.ts';

/** What a build took. */
export interface SiteBuild {
  readonly seconds: number;
  /** Bytes that its processes had in memory together at most; null where that cannot be told. */
  readonly peak: number | null;
}

/** Builds and publishes the site with the product's own command. */
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

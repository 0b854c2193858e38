import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectFolder } from '#api/publishing/source-digest.ts';

/** Builds and publishes the site with the product's own command; answers the seconds it took. */
export async function buildSite(env: { readonly DATA_DIR: string; readonly DATABASE_URL: string }): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(projectFolder, 'api/commands/build.ts')], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The build of the site ended with code ${code ?? 'none'}.`);
  return (performance.now() - started) / 1_000;
}

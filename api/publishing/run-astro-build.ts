/**
 * The process that runs Astro's build: a process of its own, because the build sets NODE_ENV, keeps what it loaded
 * and can be stopped at any moment. Folders and settings come in by the environment; progress and the reason of a
 * failure go out as messages.
 */
import { build } from 'astro';
import { astroProgress } from './astro.ts';
import type { AstroMessage } from './astro.ts';
import { projectFolder } from './source-digest.ts';

const tell = (message: AstroMessage, done: () => void = () => undefined) => process.send?.(message, done);

const outDir = process.env.RELEASE_DIR;
if (outDir === undefined) throw new Error('RELEASE_DIR is missing. Use npm run build, which sets it.');
// A build whose parent is gone would publish nothing; it must not keep a processor busy.
process.on('disconnect', () => process.exit(1));

try {
  await build({
    root: projectFolder,
    outDir,
    // A line for every page would cost more than it tells; progress goes out as messages.
    logLevel: 'warn',
    integrations: [astroProgress((progress) => tell({ progress }))],
  });
  process.exit(0);
} catch (error) {
  const { message, hint, loc } = error as Error & { hint?: string; loc?: { file?: string; line?: number } };
  const place = loc?.file === undefined ? '' : ` (${loc.file}${loc.line === undefined ? '' : `:${loc.line}`})`;
  tell({ error: `${message}${place}${hint === undefined ? '' : ` ${hint}`}` }, () => process.exit(1));
}

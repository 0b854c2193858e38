/**
 * The child process that runs Astro’s build. It is separate because the build sets NODE_ENV, never unloads modules, and
 * must be stoppable at any moment. Folders and settings are passed in the environment; progress and errors are sent as
 * messages.
 */
import { build } from 'astro';
import { astroProgress } from './astro.ts';
import type { AstroMessage } from './astro.ts';
import { projectFolder } from './source-digest.ts';

const send = (message: AstroMessage, done: () => void = () => undefined) => process.send?.(message, done);

const outDir = process.env.RELEASE_DIR;
if (outDir === undefined) throw new Error('RELEASE_DIR is missing. Use npm run build, which sets it.');
// A build without its parent would publish nothing; it must not waste CPU.
process.on('disconnect', () => process.exit(1));

try {
  await build({
    root: projectFolder,
    outDir,
    // A log line per page would be slow; progress is sent as messages.
    logLevel: 'warn',
    integrations: [astroProgress((progress) => send({ progress }))],
  });
  process.exit(0);
} catch (error) {
  const { message, hint, loc } = error as Error & { hint?: string; loc?: { file?: string; line?: number } };
  const place = loc?.file === undefined ? '' : ` (${loc.file}${loc.line === undefined ? '' : `:${loc.line}`})`;
  send({ error: `${message}${place}${hint === undefined ? '' : ` ${hint}`}` }, () => process.exit(1));
}

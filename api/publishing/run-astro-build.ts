/**
 * The process that runs Astro's build: a process of its own, because the build sets NODE_ENV, keeps what it loaded
 * and can be stopped at any moment. Folders and settings come in by the environment; Astro's lines on the standard
 * output are the progress.
 */
import { build } from 'astro';
import { projectFolder } from './source-digest.ts';

const outDir = process.env.RELEASE_DIR;
if (outDir === undefined) throw new Error('RELEASE_DIR is missing: run "npm run build", which sets it.');
// A build whose parent is gone would publish nothing; it must not keep a processor busy.
process.on('disconnect', () => process.exit(1));

try {
  await build({ root: projectFolder, outDir, logLevel: 'info' });
  process.exit(0);
} catch (error) {
  const { message, hint, loc } = error as Error & { hint?: string; loc?: { file?: string; line?: number } };
  const place = loc?.file === undefined ? '' : ` (${loc.file}${loc.line === undefined ? '' : `:${loc.line}`})`;
  process.send?.({ error: `${message}${place}${hint === undefined ? '' : ` ${hint}`}` }, () => process.exit(1));
}

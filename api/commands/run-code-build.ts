/**
 * The child process of a code build. It is separate because Astro's build sets NODE_ENV, never unloads modules, and must
 * be stoppable at any moment. Folder and settings are passed in the environment; the result or error is sent as a message.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'astro';
import type { AstroIntegration } from 'astro';
import { buildFiles } from '#domain/build-files.ts';
import { fixedAddresses, neverSaved } from '#site/server/renderer/fixed-addresses.ts';
import { filesBelow } from '#api/publishing/disk.ts';
import { encode } from '#api/publishing/encode.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';

const send = (message: object, done: () => void) => process.send?.(message, done);

const outDir = process.env.BUILD_DIR;
if (outDir === undefined) throw new Error('BUILD_DIR is missing. Use npm run build, which sets it.');
// A build without its parent would be of no use; it must not waste CPU.
process.on('disconnect', () => process.exit(1));

const found = new Set<string>(fixedAddresses);
/** Lists the addresses of the pages that exist whatever the database has. */
const listPages: AstroIntegration = {
  name: 'list-pages',
  hooks: {
    'astro:routes:resolved': ({ routes }) => {
      for (const { origin, pathname } of routes)
        if (origin === 'project' && pathname !== undefined && !neverSaved.includes(pathname)) found.add(pathname);
    },
  },
};

/** Stores the compressed copies of assets next to them: they change only with the code. */
async function compressAssets(client: string): Promise<void> {
  const compress = async (path: string) => {
    for (const [ending, copy] of await encode(`/${path}`, await readFile(join(client, path))))
      if (ending !== '') await writeFile(join(client, path + ending), copy);
  };
  await Promise.all(filesBelow(client).map(compress));
}

try {
  await build({ root: projectFolder, outDir, logLevel: 'warn', integrations: [listPages] });
  await compressAssets(join(outDir, buildFiles.client));
  send({ fixedAddresses: [...found] }, () => process.exit(0));
} catch (error) {
  send({ error: astroError(error) }, () => process.exit(1));
}

/** An error of Astro as one line: what is wrong, where, and what to do about it. */
function astroError(error: unknown): string {
  const { message, hint, loc } = error as Error & { hint?: string; loc?: { file?: string; line?: number } };
  const place = loc?.file === undefined ? '' : ` (${loc.file}${loc.line === undefined ? '' : `:${loc.line}`})`;
  return `${message}${place}${hint === undefined ? '' : ` ${hint}`}`;
}

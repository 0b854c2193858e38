/**
 * The child process of a code build. It is separate because Astro's build sets NODE_ENV, never unloads modules, and must
 * be stoppable at any moment. Folder and settings are passed in the environment; the result or error is sent as a message.
 */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'astro';
import type { AstroIntegration } from 'astro';
import { buildFiles } from '#contract/publishing.ts';
import { astroError } from './astro.ts';
import { codeFiles } from './code-build.ts';
import { filesBelow } from './disk.ts';
import { encode } from './encode.ts';
import { projectFolder } from './source-digest.ts';

const send = (message: object, done: () => void) => process.send?.(message, done);

const outDir = process.env.BUILD_DIR;
if (outDir === undefined) throw new Error('BUILD_DIR is missing. Use npm run build, which sets it.');
// A build without its parent would be of no use; it must not waste CPU.
process.on('disconnect', () => process.exit(1));

/**
 * Keeps Astro's bundle of pre-rendered pages, which a build deletes after rendering them, with an entry of ours, and
 * renders nothing.
 */
function keepRenderer(folder: string): AstroIntegration {
  return {
    name: 'keep-renderer',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        const input = fileURLToPath(import.meta.resolve('#site/renderer/entry.ts'));
        const configEnvironment = (name: string) =>
          name === 'prerender' ? { build: { rolldownOptions: { input } } } : undefined;
        updateConfig({ vite: { plugins: [{ name: 'renderer-entry', configEnvironment }] } });
      },
      'astro:build:start': ({ setPrerenderer }) => {
        setPrerenderer({
          name: 'keep-renderer',
          getStaticPaths: () => Promise.resolve([]),
          render: () => Promise.reject(new Error('A code build renders no pages.')),
          async teardown() {
            const bundle = join(folder, buildFiles.server, '.prerender');
            const renderer = join(folder, codeFiles.renderer);
            // Its styles are assets, which Astro moves to the others.
            await cp(bundle, renderer, { recursive: true, filter: (path) => basename(path) !== '_astro' });
            const entry = (await readdir(renderer)).find((name) => name.startsWith('prerender-entry'));
            await writeFile(join(renderer, codeFiles.rendererEntry), `export * from './${entry}';\n`);
          },
        });
      },
    },
  };
}

/** Stores the compressed copies of assets next to them: they change only with the code. */
async function compressAssets(client: string): Promise<void> {
  const compress = async (path: string) => {
    for (const [ending, copy] of await encode(`/${path}`, await readFile(join(client, path))))
      if (ending !== '') await writeFile(join(client, path + ending), copy);
  };
  await Promise.all(filesBelow(client).map(compress));
}

try {
  await build({ root: projectFolder, outDir, logLevel: 'warn', integrations: [keepRenderer(outDir)] });
  await compressAssets(join(outDir, buildFiles.client));
  const entry = join(outDir, codeFiles.renderer, codeFiles.rendererEntry);
  const renderer = (await import(pathToFileURL(entry).href)) as { allFixedAddresses: readonly string[] };
  send({ fixedAddresses: renderer.allFixedAddresses }, () => process.exit(0));
} catch (error) {
  send({ error: astroError(error) }, () => process.exit(1));
}

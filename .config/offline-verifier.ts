import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { contractConstants } from './contracts-in-browser.ts';

const id = 'virtual:offline-verifier';
const entry = fileURLToPath(new URL('../site/verification/offline-verifier.ts', import.meta.url));

/** First lines of the file. */
const banner = `#!/usr/bin/env node
// Verifies a closed poll. Generated from api/domain/verification, site/verification/offline-verifier.ts, and @noble/hashes
// (MIT License, (c) Paul Miller); not minified, so that it can be read. Usage: node verify.mjs --help`;

/** The verifier that readers download: one module for Node.js without dependencies. */
export async function bundleVerifier(): Promise<string> {
  const { build } = await import('vite');
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [contractConstants()],
    ssr: { noExternal: true },
    build: {
      write: false,
      minify: false,
      target: 'node20',
      ssr: entry,
      rolldownOptions: { output: { banner, codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk, ...others] = built.output;
  if (others.length > 0) throw new Error('The offline verifier must be one file.');
  return chunk.code;
}

/** Provides `virtual:offline-verifier`, whose default export is the text of the verifier. */
export function offlineVerifier(): Plugin {
  return {
    name: 'offline-verifier',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: async (source) =>
      source === `\0${id}` ? `export default ${JSON.stringify(await bundleVerifier())};` : undefined,
  };
}

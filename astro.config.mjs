import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defineConfig } from 'astro/config';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { contractChecks } from './.config/contract-checks.ts';
import { ownDirectives } from './site/client-directives/integration.ts';
import { contentPolicy, headScript, layerOrder } from './site/shell/head.ts';
import { siteConfig } from './site/site-config.ts';

/** What the page's head has inline and Astro does not know of; see site/layouts/PageLayout.astro. */
const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const policy = contentPolicy(siteConfig);

/** What every island needs comes in a few files, not in ten of a few hundred bytes each. */
const scriptGroups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'calls',
    test: /node_modules\/@tanstack\/|site\/client\/(account-hint|api|device-id|failure-text|query-client|use-hydrated|RetryButton)\.tsx?$|site\/ui\/visit-event\.ts$|content\/texts\/(client|shell)\.ts$/,
  },
  { name: 'toasts', test: /site\/ui\/(toasts|toast-store)\.ts$/ },
  { name: 'figures', test: /site\/ui\/format\.ts$|api\/domain\/poll-results\.ts$/ },
];

const cacheDir = process.env.ASTRO_CACHE_DIR || './.cache/astro';

// The publisher builds into a new release folder under DATA_DIR and hands the folders in; see api/publishing.
export default defineConfig({
  site: process.env.PUBLIC_URL || `http://localhost:${process.env.PORT || 3000}`,
  srcDir: './site',
  publicDir: './site/public',
  cacheDir,
  output: 'static',
  adapter: node({ mode: 'middleware' }),
  integrations: [react(), ownDirectives()],
  session: false,
  trailingSlash: 'never',
  // While one page waits for the disk, others are rendered; see content/handbook/proof.md.
  build: { format: 'file', concurrency: 4 },
  compressHTML: true,
  security: {
    csp: {
      directives: [...policy.directives],
      scriptDirective: { resources: policy.scripts, hashes: [digest(headScript)] },
      styleDirective: { hashes: [digest(layerOrder)] },
    },
  },
  vite: {
    cacheDir: join(cacheDir, 'vite'),
    plugins: [contractChecks()],
    environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: scriptGroups } } } } } },
  },
  devToolbar: { enabled: false },
});

import { createHash } from 'node:crypto';
import { defineConfig } from 'astro/config';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { touchDirective } from './site/client-directives/integration.ts';
import { themeBoot } from './site/shell/theme-boot.ts';

// The publisher builds into a new release folder under DATA_DIR and hands the folders in; see api/publishing.
export default defineConfig({
  site: process.env.PUBLIC_URL || `http://localhost:${process.env.PORT || 3000}`,
  srcDir: './site',
  publicDir: './site/public',
  cacheDir: process.env.ASTRO_CACHE_DIR || './.cache/astro',
  output: 'static',
  adapter: node({ mode: 'middleware' }),
  integrations: [react(), touchDirective()],
  session: false,
  trailingSlash: 'never',
  build: { format: 'file' },
  compressHTML: true,
  security: {
    csp: { scriptDirective: { hashes: [`sha256-${createHash('sha256').update(themeBoot).digest('base64')}`] } },
  },
  devToolbar: { enabled: false },
});

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { defineConfig } from 'astro/config';
import { contractChecks, contractConstants } from './.config/contracts-in-browser.ts';
import { offlineVerifier } from './.config/offline-verifier.ts';
import { stylePlaces } from './.config/style-places.ts';
import { scriptGroups } from './site/client/hydrate/chunks.ts';
import { islands } from './site/client/hydrate/integration.ts';
import { rendererAdapter } from './site/server/renderer/adapter.ts';
import { hideUnsorted, sortCards } from './site/polls/sort-cards.ts';
import { orderOptions } from './site/polls/voting/option-order.ts';
import { contentDirectives, headScript, layerOrder } from './site/layouts/shell/head.ts';

/** What the page's head has inline and Astro does not know of; see site/layouts/PageLayout.astro and site/pages/index.astro. */
const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** @type {import('astro').AstroIntegration} A page’s policy is in the page, also of one on demand, so that every web server can send it. */
const policyInPage = {
  name: 'policy-in-page',
  hooks: {
    'astro:build:ssr': ({ manifest: { csp } }) => {
      csp.cspDestination = 'meta';
      // Astro has a hash once for each page that needs it, and looks for duplicates when it renders a page.
      for (const directive of [csp.scriptDirective, csp.styleDirective])
        directive.hashes = [...new Set(directive.hashes)];
    },
  },
};

const cacheDir = process.env.ASTRO_CACHE_DIR || './.cache/astro';

// A build is the same for all settings, so that it can be part of a container image; see api/publishing/code-build.ts.
export default defineConfig({
  srcDir: './site',
  publicDir: './site/public',
  cacheDir,
  output: 'server',
  adapter: rendererAdapter(),
  integrations: [islands(), stylePlaces(), policyInPage],
  session: false,
  trailingSlash: 'never',
  // Addresses of admin pages that are parts of others now, in bookmarks and in mails.
  redirects: {
    '/admin/calendar': '/admin/polls?view=calendar',
    '/admin/reports': '/admin/moderation',
    '/admin/members': '/admin/moderation#members',
    '/admin/publishing': '/admin/health',
  },
  build: { format: 'file' },
  compressHTML: true,
  security: {
    // Forms are forwarded to the API, which checks the origin against the public address; Astro would use the proxy’s.
    checkOrigin: false,
    csp: {
      directives: [...contentDirectives],
      scriptDirective: {
        resources: ["'self'"],
        hashes: [headScript, hideUnsorted, sortCards, orderOptions].map(digest),
      },
      styleDirective: { hashes: [digest(layerOrder)] },
    },
  },
  vite: {
    cacheDir: join(cacheDir, 'vite'),
    // The script of every page is in the page: a request would take longer than its bytes.
    build: { assetsInlineLimit: (path) => (/PageLayout\.astro/.test(path) && path.endsWith('.js') ? true : undefined) },
    // Settings such as PUBLIC_URL are read when a page is rendered.
    envPrefix: 'NOT_A_SETTING_',
    plugins: [contractConstants(), contractChecks(), offlineVerifier()],
    worker: { plugins: () => [contractConstants()] },
    environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: scriptGroups } } } } } },
  },
  devToolbar: { enabled: false },
});

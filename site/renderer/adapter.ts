import type { AstroIntegration } from 'astro';

/** The adapter of code builds: their server exports Astro’s own request handler, which the renderer’s processes load. */
export const rendererAdapter = (): AstroIntegration => ({
  name: 'renderer',
  hooks: {
    'astro:config:done': ({ setAdapter }) =>
      setAdapter({
        name: 'renderer',
        entrypointResolution: 'auto',
        serverEntrypoint: new URL('app.ts', import.meta.url),
        adapterFeatures: { buildOutput: 'server', middlewareMode: 'classic' },
        supportedAstroFeatures: { staticOutput: 'stable', serverOutput: 'stable', hybridOutput: 'stable' },
      }),
  },
});

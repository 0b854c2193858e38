import { join } from 'node:path';
import { inBuilds } from '#api/publishing/builds.ts';
import { startSiteServer } from '#site/server/site-server.ts';
import type { SiteServer, SiteServerOptions } from '#site/server/site-server.ts';

/** The site service of a data folder, or of one without pages, in this process and without an API, unless options differ. */
export const startTestSite = (dataDir = '/nowhere', options: Partial<SiteServerOptions> = {}): Promise<SiteServer> =>
  startSiteServer({
    port: 0,
    host: '127.0.0.1',
    builds: inBuilds(dataDir),
    apiOrigin: 'http://127.0.0.1:9',
    publicUrl: 'http://localhost:3000',
    siteName: 'Weathervane',
    pictures: join(dataDir, 'pictures'),
    onEvent: () => undefined,
    ...options,
  });

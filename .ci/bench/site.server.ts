import { readConfig } from '#platform/config.ts';
import { join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import { pictureFolder } from '#site/sharing/picture-store.ts';
import { startSiteServer } from '#site/server/site-server.ts';

/** The site service as it runs in production, on a free port. */
const config = readConfig();
const server = await startSiteServer({
  port: 0,
  host: '127.0.0.1',
  releases: join(config.dataDir, releaseFiles.folder),
  apiOrigin: config.apiOrigins,
  publicUrl: config.publicUrl,
  siteName: config.siteName,
  pictures: join(config.dataDir, pictureFolder),
  onEvent(event) {
    if (event.kind === 'failed') console.error(event.what, event.error);
  },
});
process.send?.(server.port);
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));

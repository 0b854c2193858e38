import { readConfig } from '#platform/config.ts';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { releaseFiles } from '#contract/publishing.ts';
import { pictureFolder } from '#site/sharing/picture-store.ts';
import { startSiteServer } from '#site/server/site-server.ts';

/** The answer to each message. */
export interface SiteFigures {
  /** Milliseconds until the service listened, and of CPU time for that. */
  readonly startMs: number;
  readonly startCpuMs: number;
  /** The release that is served, and since when, in milliseconds of the epoch. */
  readonly release: string;
  readonly switchedAt: number;
  /** The longest time in milliseconds for which the event loop has not turned since the last message. */
  readonly stallMs: number;
}

/** The site service as it runs in production, on a free port. */
const config = readConfig();
const began = performance.now();
const cpuBefore = process.cpuUsage();
let [release, switchedAt] = ['', 0];
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
    if (event.kind === 'release') [release, switchedAt] = [event.id, performance.timeOrigin + performance.now()];
  },
});
const startMs = performance.now() - began;
const startCpu = process.cpuUsage(cpuBefore);
const startCpuMs = (startCpu.user + startCpu.system) / 1_000;
process.send?.(server.port);
const delays = monitorEventLoopDelay({ resolution: 1 });
process.on('message', ({ keepStall }: { keepStall?: boolean }) => {
  const figures: SiteFigures = { startMs, startCpuMs, release, switchedAt, stallMs: delays.max / 1e6 };
  process.send?.(figures);
  // Only for those who ask, because it wakes the service every millisecond.
  delays.enable();
  if (!keepStall) delays.reset();
});
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));

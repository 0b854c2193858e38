import { readConfig } from '#platform/config.ts';
import { join } from 'node:path';
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
  /** The longest turn of the event loop since the last message, in milliseconds of CPU time. */
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
/** The thread’s CPU time in milliseconds, so that waiting for a busy machine is no stall. */
const threadMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let stallMs = 0;
let sampler: NodeJS.Timeout | undefined;
process.on('message', ({ keepStall }: { keepStall?: boolean }) => {
  const figures: SiteFigures = { startMs, startCpuMs, release, switchedAt, stallMs };
  process.send?.(figures);
  if (keepStall) return;
  let last = threadMs();
  stallMs = 0;
  clearInterval(sampler);
  // Only for those who ask, because it wakes the service every millisecond.
  sampler = setInterval(() => {
    const now = threadMs();
    stallMs = Math.max(stallMs, now - last);
    last = now;
  }, 1);
});
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));

import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { writeReportsToRender } from '#api/publishing/build.service.ts';
import { projectFolder } from '#api/publishing/source-digest.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';

/** Milliseconds in which an editor finishes writing a file. */
const settleMs = 150;

/** Snapshots for the development server, each in a folder of its own, because pages keep what they have read. */
export function devSnapshots(config: Config, db: Database) {
  const folder = join(config.dataDir, 'cache', 'dev-snapshot');
  let number = 0;

  /** Takes a snapshot and names its folder to the pages. */
  async function take(): Promise<void> {
    const before = process.env.SNAPSHOT_DIR;
    const next = join(folder, String(++number));
    if (before === undefined) await rm(folder, { recursive: true, force: true });
    const { reports } = await writeSnapshot({
      db,
      clock: systemClock,
      settings: config,
      folder: next,
      pagesDigest: '',
    });
    await writeReportsToRender(next, [...reports.keys()]);
    process.env.SNAPSHOT_DIR = next;
    if (before !== undefined) await rm(before, { recursive: true, force: true });
  }

  return {
    take,
    /** Takes another snapshot whenever an article or a page was written; `onEnd` hears what was wrong with it, or null. */
    follow(onEnd: (problem: unknown) => void): { stop(): void } {
      let timer: NodeJS.Timeout | undefined;
      let last = Promise.resolve();
      const again = () => {
        last = last.then(take).then(
          () => onEnd(null),
          (error: unknown) => onEnd(error),
        );
      };
      const watchers = ['blog', 'legal', 'pages'].map((name) =>
        watch(join(projectFolder, 'content', name), (_, file) => {
          if (!file?.endsWith('.md')) return;
          clearTimeout(timer);
          timer = setTimeout(again, settleMs);
        }),
      );
      return {
        stop() {
          clearTimeout(timer);
          for (const watcher of watchers) watcher.close();
        },
      };
    },
  };
}

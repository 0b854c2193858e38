import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { hasVoterKey } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { addresses, contentPages } from '#api/page-data/page-data.service.ts';
import { codeFiles, ensureCodeBuild } from '#api/publishing/code-build.ts';
import { filesBelow } from '#api/publishing/disk.ts';
import { encodedAs } from '#api/publishing/encode.ts';
import type { PublishContext } from '#api/publishing/publish.service.ts';
import { startRenderer } from '#api/publishing/renderer.ts';
import type { Renderer } from '#api/publishing/renderer.ts';

/** A second process for many pages. The next publish is rarely of that many, so that they end soon. */
const manyPages = { workers: 2, idleMs: 10_000 } as const;

/** What a publisher needs, with the real renderer; `close` ends its processes. */
export function publishContext(
  db: Database,
  config: Config,
  signal: AbortSignal,
): PublishContext & { readonly close: () => Promise<void> } {
  const clock = systemClock;
  let kept: { readonly key: string; readonly renderer: Renderer } | null = null;
  const close = async () => {
    await kept?.renderer.close();
    kept = null;
  };
  return {
    db,
    clock,
    signal,
    dataDir: config.dataDir,
    showing: new Map(),
    async codeBuild(aborted) {
      const { siteKey } = await ensureSecrets(config, () => hasVoterKey(db));
      return ensureCodeBuild({ config, siteKey, signal: aborted });
    },
    async renderer(codeFolder, many) {
      const key = `${codeFolder} ${many}`;
      if (kept?.key !== key) {
        await close();
        kept = { key, renderer: await startRenderer({ codeFolder, config, ...(many && manyPages) }) };
      }
      return kept.renderer;
    },
    addresses: (fixed) => addresses({ db, clock }, fixed),
    contentPages: (file, event) => contentPages({ db, clock }, file, event),
    async *assets({ folder }) {
      const client = join(folder, codeFiles.client);
      const files = new Set(filesBelow(client));
      const copy = async (path: string) => (files.has(path) ? readFile(join(client, path)) : null);
      for (const path of files)
        if (!/\.(br|gz)$/.test(path)) {
          const content = await readFile(join(client, path));
          yield [`/${path}`, encodedAs(content, await copy(`${path}.br`), await copy(`${path}.gz`))];
        }
    },
    close,
  };
}

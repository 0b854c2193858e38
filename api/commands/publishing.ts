import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { hasVoterKey } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { loadContent } from '#api/content/files.service.ts';
import { addresses, contentPages, goneAddresses } from '#api/publishing/page-data/page-data.service.ts';
import { ensureCodeBuild } from '#api/publishing/code-build.ts';
import type { PublishContext } from '#api/publishing/publish-changes.service.ts';
import { startRenderer } from '#api/publishing/renderer.ts';
import type { Renderer } from '#api/publishing/renderer.ts';
import { codeDigest } from '#api/publishing/source-digest.ts';

/** A second process for many pages. The next publish is rarely of that many, so that they end soon. */
const manyPages = { workers: 2, idleMs: 10_000 } as const;

/** What a publisher needs, with the real renderer; `close` ends its processes. */
export function publishContext(
  db: Database,
  config: Config,
  signal: AbortSignal,
): PublishContext & { readonly close: () => Promise<void> } {
  const clock = systemClock;
  /** Two while a build is filled: changes are also published in the served one. */
  const renderers = new Map<string, Promise<Renderer>>();
  const close = async () => {
    await Promise.all(
      [...renderers.values()].map((one) => one.then((renderer) => renderer.close()).catch(() => undefined)),
    );
    renderers.clear();
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
    codeId: () => codeDigest(config),
    renderer(codeFolder, many) {
      const key = `${codeFolder} ${many}`;
      let renderer = renderers.get(key);
      if (renderer === undefined) {
        renderer = startRenderer({ codeFolder, config, ...(many && manyPages) });
        renderers.set(key, renderer);
        renderer.catch(() => renderers.delete(key));
      }
      return renderer;
    },
    addresses: (fixed) => addresses({ db, clock }, fixed),
    loadContent: () => loadContent({ db, clock }),
    contentPages: (file) => contentPages({ db, clock }, file),
    goneAddresses: (wanted) => goneAddresses({ db, clock }, wanted),
    close,
  };
}

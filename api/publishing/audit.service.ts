import { isDeepStrictEqual } from 'node:util';
import { auditMissedKept } from '#contract/limits.ts';
import type { StoredFile, TreeHead } from '#contract/publishing.ts';
import { beginAudit, recordAudit } from './audit.queries.ts';
import { isOpenPoll } from './change-facts.queries.ts';
import { countChanges, recordChanges } from './changes.service.ts';
import type { Manifest } from './manifest.ts';
import type { PublishContext } from './publish.service.ts';
import { newestState } from './releases.ts';
import type { Renderer } from './renderer.ts';
import { contentOf, currentHead } from './store.ts';

/** Pages that one step renders: a poll that closes meanwhile waits for them. */
const pagesPerStep = 5;

/** Pages with figures that change without being published, such as votes; islands update them. */
const livePages: ReadonlySet<string> = new Set(['/', '/community-polls']);
/** It expires a year after it was rendered. */
const expiringPage = '/.well-known/security.txt';
/** Milliseconds before it expires at which it is published again. */
const renewMs = 60 * 24 * 60 * 60_000;

/** One round over all pages, step by step. */
export interface Audit {
  /**
   * Compares some pages; true when the round is over. Call it while nothing is due.
   */
  step(renderer: Renderer): Promise<boolean>;
}

/**
 * Starts a round: each page is rendered again and compared with the published one. A difference that nobody recorded as a
 * change is logged, shown to the operator, and published.
 */
export async function startAudit(
  context: PublishContext,
  code: readonly string[],
  log: { error(facts: object, text: string): void },
): Promise<Audit> {
  const { db, clock } = context;
  const id = await beginAudit(db, clock.now());
  const missed: string[] = [];
  let pages = 0;
  const addresses = allAddresses(context, code);
  return {
    async step(renderer) {
      const state = newestState(context.dataDir);
      const head = currentHead(context.dataDir);
      if (state === null || head?.release !== state.record.id) return false;
      let isOver = false;
      const differing: string[] = [];
      for (let count = 0; count < pagesPerStep && !isOver; count += 1) {
        const next = await addresses.next();
        isOver = next.done === true;
        if (next.done) break;
        const address = next.value;
        pages += 1;
        if (await isMissed(context, renderer, address, { head, manifest: state.manifest })) differing.push(address);
      }
      for (const address of differing.filter((one) => one !== expiringPage)) {
        log.error({ address }, 'a page differs although no change was recorded; publishing it');
        if (missed.length < auditMissedKept) missed.push(address);
      }
      const repairs = differing.map((address) => ({ kind: 'page', key: address }) as const);
      await recordChanges(db, clock.now(), repairs);
      await recordAudit(db, id, { pages, missed, finishedAt: isOver ? clock.now() : null });
      return isOver;
    },
  };
}

/** Every address that exists or should. */
async function* allAddresses({ dataDir, addresses }: PublishContext, fixed: readonly string[]): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const address of addresses(fixed)) {
    if (seen.has(address)) continue;
    seen.add(address);
    yield address;
  }
  const state = newestState(dataDir);
  for (const [address] of state?.manifest.entries() ?? [])
    // Files of the code build are not rendered.
    if (!seen.has(address) && /^\/(poll|blog|historical)\/|^\/sitemap-/.test(address)) yield address;
}

async function isMissed(
  context: PublishContext,
  renderer: Renderer,
  address: string,
  { head, manifest }: { readonly head: TreeHead; readonly manifest: Manifest },
): Promise<boolean> {
  const { db, clock, dataDir } = context;
  if (livePages.has(address)) return false;
  const published = manifest.get(address);
  if (address === expiringPage && published !== null && !isExpiring(context, published)) return false;
  // A page that can’t be rendered fails in the publish that shows it.
  const page = await renderer.render(address, clock.now(), published).catch(() => undefined);
  if (page === undefined) return false;
  const isSame = page?.file.hash === published?.hash;
  if (isSame) return false;
  // Open polls show votes; only their existence is compared.
  if (page !== null && published !== null && (await isOpenPoll(db, address))) return false;
  // Something has changed since the page was published, which the next publish shows.
  return (await countChanges(db)) === 0 && isDeepStrictEqual(currentHead(dataDir), head);
}

function isExpiring({ clock, dataDir }: PublishContext, file: StoredFile): boolean {
  const text = contentOf(dataDir, expiringPage, file).toString('utf8');
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '');
  return !(expires - clock.now() > renewMs);
}

import { auditMissedListed } from '#contract/limits.ts';
import type { PublishAudit } from './publishing.contract.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { clientOf, hasPage, pageAddresses, readPage, servedBuild } from './builds.ts';
import { isOpenPoll } from './change-facts.queries.ts';
import { countChanges, failingChanges, recordChanges } from './changes.service.ts';
import type { CodeBuild } from './code-build.ts';
import { lastPublish } from './job.service.ts';
import { changesStep } from './publish-changes.service.ts';
import type { PublishContext } from './publish-changes.service.ts';
import type { Renderer } from './renderer.ts';

/** Milliseconds from one round to the next. */
export const auditEveryMs = 24 * 60 * 60_000;
/** Pages that one step renders: a poll that closes meanwhile waits for them. */
const pagesPerStep = 5;

/** Pages with figures that change without being published, such as votes; islands update them. */
const livePages: ReadonlySet<string> = new Set(['/', '/community-polls']);
/** It expires a year after it was rendered. */
const expiringPage = '/.well-known/security.txt';
/** Milliseconds before it expires at which it is published again. */
const renewMs = 60 * 24 * 60 * 60_000;

/** A row of `publish_audits`. */
export type AuditRow = Row<'publish_audits'>;

/** The newest round, or null. */
export async function newestAuditRow(db: Database): Promise<AuditRow | null> {
  return (await db('publish_audits').orderBy('id', 'desc').first()) ?? null;
}

/** The newest round for the operator, or null. */
export async function newestAudit(db: Database): Promise<PublishAudit | null> {
  const row = await newestAuditRow(db);
  return (
    row && {
      startedAt: iso(row.started_at),
      finishedAt: isoOrNull(row.finished_at),
      pages: row.pages,
      missed: JSON.parse(row.missed) as string[],
    }
  );
}

/** Whether a round should begin. */
export function isAuditDue(newest: Pick<AuditRow, 'started_at'> | null, now: number): boolean {
  return newest === null || Math.abs(now - newest.started_at) > auditEveryMs;
}

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
  code: CodeBuild,
  log: { error(facts: object, text: string): void },
): Promise<Audit> {
  const { db, clock } = context;
  const id = await beginAudit(db, clock.now());
  const missed: string[] = [];
  let pages = 0;
  const addresses = allAddresses(context, code);
  return {
    async step(renderer) {
      let isOver = false;
      const differing: string[] = [];
      for (let count = 0; count < pagesPerStep && !isOver; count += 1) {
        const next = await addresses.next();
        isOver = next.done === true;
        if (next.done) break;
        const address = next.value;
        pages += 1;
        if (await isMissed(context, renderer, address)) differing.push(address);
      }
      for (const address of differing.filter((one) => one !== expiringPage)) {
        log.error({ address }, 'a page differs although no change was recorded; publishing it');
        if (missed.length < auditMissedListed) missed.push(address);
      }
      const repairs = differing.map((address) => ({ kind: 'page', key: address }) as const);
      await recordChanges(db, clock.now(), repairs);
      // Another process may have begun a round since.
      return !(await recordAudit(db, id, { pages, missed, finishedAt: isOver ? clock.now() : null })) || isOver;
    },
  };
}

/** Every address that exists or should. */
async function* allAddresses({ dataDir, addresses }: PublishContext, code: CodeBuild): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const address of addresses(code.fixedAddresses)) {
    if (seen.has(address)) continue;
    seen.add(address);
    yield address;
  }
  for (const address of pageAddresses(dataDir, code)) if (!seen.has(address)) yield address;
}

async function isMissed(context: PublishContext, renderer: Renderer, address: string): Promise<boolean> {
  const { db, clock, dataDir } = context;
  if (livePages.has(address)) return false;
  const build = servedBuild(dataDir);
  if (build === null) return false;
  const client = clientOf(dataDir, build);
  if (address === expiringPage && hasPage(client, address) && !isExpiring(context, readPage(client, address)))
    return false;
  const before = await lastPublish(db);
  // A page that can’t be rendered fails in the publish that shows it.
  const page = await renderer.render(address, clock.now(), { client, write: 'no' }).catch(() => undefined);
  if (page === undefined) return false;
  const isPublished = hasPage(client, address);
  if (page === null ? !isPublished : page.isSame) return false;
  // Open polls show votes; only their existence is compared.
  if (page !== null && isPublished && (await isOpenPoll(db, address))) return false;
  if ((await lastPublish(db))?.id !== before?.id || servedBuild(dataDir) !== build) return false;
  // Something has changed since the page was published, which the next publish shows, or an attempt that fails.
  const failing = await failingChanges(db);
  if ((await countChanges(db)) > failing.length) return false;
  return !(await changesStep(context, failing)).addresses.includes(address);
}

function isExpiring({ clock }: PublishContext, page: Buffer | null): boolean {
  const expires = Date.parse(/^Expires: (.+)$/m.exec(page?.toString('utf8') ?? '')?.[1] ?? '');
  return !(expires - clock.now() > renewMs);
}

/** Begins a round and returns its id; older ones are deleted. */
export async function beginAudit(db: Database, now: number): Promise<number> {
  return db.transaction(async (trx) => {
    await trx('publish_audits').del();
    const [row] = await trx('publish_audits').insert({ started_at: now }).returning('id');
    return row!.id;
  });
}

/** Records how far a round is; false if it is not the newest any more. */
export async function recordAudit(
  db: Database,
  id: number,
  { pages, missed, finishedAt }: { pages: number; missed: readonly string[]; finishedAt: number | null },
): Promise<boolean> {
  const changed = await db('publish_audits')
    .where({ id })
    .update({ pages, missed: JSON.stringify(missed), finished_at: finishedAt });
  return changed === 1;
}

import type { FeedStart } from './page-data.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { isThisMachine } from '#platform/trusted-proxies.ts';

const name = 'feed start';

/** What the ids of feed entries are made of; null if it was never recorded. */
export async function readFeedStart(db: Database): Promise<FeedStart | null> {
  const row = await db('installation').where({ name }).first('value');
  return row === undefined ? null : (JSON.parse(row.value) as FeedStart);
}

/**
 * Records the public address once, before the first feed with it is published: a later address must not change the ids of
 * entries. Addresses of this machine are for trying the site out and have no subscribers.
 */
export async function recordFeedStart(db: Database, publicUrl: string, now: number): Promise<void> {
  if (isThisMachine(new URL(publicUrl).hostname) || (await readFeedStart(db)) !== null) return;
  const start: FeedStart = { publicUrl, at: iso(now) };
  await db('installation')
    .insert({ name, value: JSON.stringify(start) })
    .onConflict('name')
    .ignore();
}

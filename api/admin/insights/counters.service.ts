import { hostLabels, hostsPerPoll } from './insights.contract.ts';
import type { InsightKind } from './insights.contract.ts';
import { hostLabel } from '#domain/referring-host.ts';
import { insertRows } from '#platform/bulk-rows.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';

/** Milliseconds for which counts are collected in memory; a process that is killed loses them. */
const flushMs = 5_000;
/** Different counts that are collected at once; more are dropped. */
const collectedMost = 10_000;
const dayMs = 86_400_000;
/** An arbitrary number that no other advisory lock has: of two processes, the second sees the hosts of the first. */
const insightsLock = 1_523;

/** Counts per poll and day; nothing about a single visitor is kept. */
export interface InsightCounters {
  /** Counts in memory: a vote or embed view by its host, as the header has it, or a share by its target. */
  count(pollId: string, kind: InsightKind, label: string): void;
  /** Writes what is collected; resolves when it is stored or has failed. */
  drain(): Promise<void>;
}

interface Count {
  readonly poll_id: string;
  readonly kind: InsightKind;
  readonly day: number;
  readonly label: string;
  count: number;
}

/** Creates the counters of a process. They write some seconds after the first count, apart from what is counted. */
export function insightCounters(context: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicUrl: string;
}): InsightCounters {
  const { db, clock, log, publicUrl } = context;
  const ownHost = new URL(publicUrl).host;
  let collected = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const counts = [...collected.values()];
    collected = new Map();
    if (counts.length > 0)
      writing = writing
        .then(() => storeCounts(db, counts))
        .catch((error: unknown) => log.error({ err: error }, 'insights could not be stored and were dropped'));
    return writing;
  };

  return {
    count(poll_id, kind, given) {
      const label = kind === 'share' ? given : hostLabel(given, ownHost);
      const day = Math.floor(clock.now() / dayMs);
      const key = `${poll_id} ${kind} ${day} ${label}`;
      const known = collected.get(key);
      if (known) known.count += 1;
      else if (collected.size < collectedMost) collected.set(key, { poll_id, kind, day, label, count: 1 });
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    drain: flush,
  };
}

/** Adds counts to those of the database, for weekly polls that exist. The hosts of a poll beyond {@link hostsPerPoll} are one. */
export async function storeCounts(db: Database, counts: readonly Count[]): Promise<void> {
  await db.transaction(async (trx) => {
    if (!isSqlite(trx)) await trx.raw('select pg_advisory_xact_lock(?)', [insightsLock]);
    const ids = [...new Set(counts.map(({ poll_id }) => poll_id))];
    const polls = await trx('ballots').whereIn('id', ids).where({ kind: 'poll' }).forKeyShare().pluck('id');
    const known = await trx('insight_counts')
      .whereIn('poll_id', polls)
      .whereIn('kind', ['vote', 'embed'])
      .distinct<{ poll_id: string; kind: string; label: string }[]>('poll_id', 'kind', 'label');
    const labels = new Map<string, Set<string>>();
    const labelsOf = (poll: string, kind: string) => {
      const key = `${poll} ${kind}`;
      const set = labels.get(key) ?? new Set();
      labels.set(key, set);
      return set;
    };
    for (const { poll_id, kind, label } of known) labelsOf(poll_id, kind).add(label);

    const rows = new Map<string, Count>();
    for (const count of counts.filter(({ poll_id }) => polls.includes(poll_id))) {
      const hosts = labelsOf(count.poll_id, count.kind);
      const isNamed = count.kind === 'share' || hosts.has(count.label) || hosts.size < hostsPerPoll;
      const label = isNamed ? count.label : hostLabels.other;
      hosts.add(label);
      const key = `${count.poll_id} ${count.kind} ${count.day} ${label}`;
      rows.set(key, { ...count, label, count: count.count + (rows.get(key)?.count ?? 0) });
    }
    await insertRows(
      trx,
      'insight_counts',
      { poll_id: 'text', kind: 'text', day: 'bigint', label: 'text', count: 'bigint' },
      [...rows.values()].map((row) => ({ ...row })),
      'on conflict (poll_id, kind, label, day) do update set count = insight_counts.count + excluded.count',
    );
  });
}

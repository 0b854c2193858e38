import { Readable } from 'node:stream';
import { webhookEvents } from '#api/admin/webhooks/webhooks.contract.ts';
import type { ChangeQueue } from '#platform/jobs/jobs.service.ts';
import { collectResults } from '#api/members/notifications/results.service.ts';
import { waitingChanges } from '#api/publishing/changes.service.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { awardAll } from './badge-state.ts';
import { auditLog } from './operators.ts';
import { registered } from './people.ts';
import { startTestApp, testNow } from './test-app.ts';

/** What can be observed of an act, in words such as `+poll tea closed`; a line that is gone begins with a minus. */
export interface Consequences {
  /** Pages to publish: kind, key, event; those that wait for others end with their place among them. */
  readonly pages: readonly string[];
  readonly search: readonly string[];
  /** Archive, headline figures, comments of polls. */
  readonly counters: readonly string[];
  readonly audit: readonly string[];
  readonly activities: readonly string[];
  readonly badges: readonly string[];
  readonly notifications: readonly string[];
  readonly webhooks: readonly string[];
  readonly mail: readonly string[];
}

const waits: Partial<Record<ChangeQueue, number>> = {
  ...{ 'publish-many': 1, 'publish-links': 1, 'publish-sitemap': 2, 'publish-later': 3, 'publish-related': 3 },
};

/** An act without consequences. */
export const nothing: Consequences = {
  ...{ pages: [], search: [], counters: [], audit: [], activities: [] },
  ...{ badges: [], notifications: [], webhooks: [], mail: [] },
};

/** A file with weekly polls, one per row. */
export const pollFile = (...rows: readonly string[]): Readable =>
  Readable.from([
    Buffer.from(
      ['id,question,description,options,is_active,created_at,starts_at,ends_at,category', ...rows].join('\n'),
    ),
  ]);

/**
 * An app with these members, and a webhook for all events. `after` returns what follows from an act, in which ids are replaced by
 * `names`.
 */
export async function startObserved<Name extends string>(db: Database, ...members: readonly Name[]) {
  const app = await startTestApp(db);
  const { clock } = app;
  const people = {} as Record<Name, Awaited<ReturnType<typeof registered>>>;
  const names: Record<string, string> = {};
  for (const name of members) {
    people[name] = await registered(app, name);
    names[people[name].user.id] = name;
  }
  await listenToAll(db);
  const after = (act: () => Promise<unknown>) => consequencesOf({ db, clock, names }, act);
  return { ...people, clock, names, after };
}

/** Registers a webhook for all events, whose deliveries stay queued. */
async function listenToAll(db: Database): Promise<void> {
  const [id, url] = ['all', 'https://hooks.example.com/'];
  await db('webhooks').insert({ id, url, events: webhookEvents.join(' '), secret: 'whsec_', created_at: testNow });
}

/**
 * Carries out an act and returns what followed, once badges are computed and every member has looked at the notifications.
 * `names` stand for ids.
 */
async function consequencesOf(
  { db, clock, names }: { db: Database; clock: Clock; names: Readonly<Record<string, string>> },
  act: () => Promise<unknown>,
): Promise<Consequences> {
  await settle(db, clock);
  const before = await observed(db, clock);
  await act();
  await settle(db, clock);
  const after = await observed(db, clock);
  const named = (line: string) => Object.entries(names).reduce((text, [id, name]) => text.replaceAll(id, name), line);
  const changed = (key: keyof Consequences) => [
    ...without(after[key], before[key]).map((line) => named(`+${line}`)),
    ...without(before[key], after[key]).map((line) => named(`-${line}`)),
  ];
  const keys = Object.keys(nothing) as (keyof Consequences)[];
  return Object.fromEntries(keys.map((key) => [key, changed(key).sort()])) as unknown as Consequences;
}

async function settle(db: Database, clock: Clock): Promise<void> {
  await awardAll(db, clock);
  for (const id of await db('users').pluck('id')) await collectResults({ db, clock }, id);
}

/** The lines of one list that another doesn’t have, each as often as it has more of it. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return lines.filter((line) => {
    const place = rest.indexOf(line);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}

async function observed(db: Database, clock: Clock): Promise<Consequences> {
  const lines = async (table: string, columns: readonly string[]) => {
    const rows = await db(table).select<Record<string, string | number | null>[]>(...columns);
    return rows.map((row) =>
      Object.values(row)
        .filter((value) => value !== null && value !== 0 && value !== '')
        .join(' '),
    );
  };
  const shown = ['vote.cast', 'poll.created', 'comment.posted', 'badge.earned'];
  const eventLines = async (isWanted: (type: string) => boolean) => {
    const events = await db('events').whereNotNull('member_id').select('member_id', 'type', 'subject');
    return events
      .filter(({ type }) => isWanted(type))
      .map(({ member_id, type, subject }) => `${member_id} ${type} ${subject}`);
  };
  const figures = await statisticsNow(db, clock.now());
  return {
    pages: (await waitingChanges(db)).map(({ kind, key, event, queue }) =>
      [kind, key, event, waits[queue]].filter(Boolean).join(' '),
    ),
    search: await lines('search_documents', ['kind', 'ballot_id', 'slug', 'title']),
    counters: [
      ...(await db('archive_categories').where('closed_polls', '<>', 0)).map(
        ({ category, closed_polls }: { category: string; closed_polls: number }) =>
          `archive ${category} ${closed_polls}`,
      ),
      ...(await db('community_polls').where('comment_count', '>', 0)).map(
        ({ id, comment_count }: { id: string; comment_count: number }) => `comments ${id} ${comment_count}`,
      ),
      ...Object.entries(figures).map((pair) => pair.join(' ')),
    ],
    audit: (await auditLog(db).select<Record<string, string>[]>('actor', 'action', 'kind', 'subject')).map((entry) =>
      Object.values(entry).filter(Boolean).join(' '),
    ),
    activities: await eventLines((type) => shown.includes(type)),
    badges: [
      ...(await lines('badges', ['user_id', 'badge_type'])),
      // A visit follows from nothing else, and the last figures of a poll change none.
      ...(await eventLines((type) => ![...shown, 'member.active', 'poll.figures'].includes(type))),
    ],
    notifications: await lines('notifications', ['user_id', 'kind', 'subject', 'reason']),
    webhooks: (await db('webhook_deliveries').select('type', 'data')).map(
      ({ type, data }) => `${type} ${(JSON.parse(data) as { poll?: { id: string } }).poll?.id ?? ''}`,
    ),
    mail: (await db('jobs').where({ kind: 'mail' }).select()).map(({ user_id, payload }) =>
      [(JSON.parse(payload) as { about: string }).about, user_id].join(' ').trim(),
    ),
  };
}

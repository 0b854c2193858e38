import type { Today, TodayItem, TodayKind } from './today.contract.ts';
import { todayKinds, todayLevels } from './today.contract.ts';
import { lastBackupAt } from '#api/backup/last-backup.service.ts';
import { logAlerts } from '#api/integrity/log/alerts.service.ts';
import { importDeadAfterMs } from '#api/polls/import/import-history.service.ts';
import { countChanges } from '#api/publishing/changes.service.ts';
import { failedPublishes } from '#api/publishing/job.service.ts';
import { pausedSince } from '#api/publishing/state.service.ts';
import { lifespanOf } from '#api/voting/ballot.model.ts';
import { failedWebhooks } from '#api/admin/webhooks/webhooks.service.ts';
import { coverageOf } from '#domain/poll-calendar.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { dayStart, localDayOf, shiftDay } from '#domain/time-zone.ts';
import type { Config } from '#platform/config.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { isConfirmed } from './records.queries.ts';
import {
  currentPolls,
  failingMail,
  flaggedPolls,
  heldVotes,
  lastPollClosed,
  openAppeals,
  openReports,
  unfinishedDecisions,
  unfinishedImports,
} from './today.queries.ts';
import type { ScheduledPoll, Waiting } from './today.queries.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Age in milliseconds from which a backup is too old. */
const oldBackupMs = 2 * day;
/** Milliseconds ahead in which a time without an open poll is reported. */
const weekMs = 7 * day;
/** Milliseconds before votes that are held count again when that becomes urgent. */
const expiresSoonMs = day;
/** Milliseconds after which marking votes counts as interrupted: each step takes a moment. */
const unfinishedMs = 5 * 60_000;

/** What the admin pages’ use cases need. */
export interface TodayContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'dataDir' | 'timeZone'>;
}

/** What needs a decision of the operator, most urgent first; days are those of the site’s time zone. */
export async function today({ db, clock, config }: TodayContext): Promise<Today> {
  const now = clock.now();
  const [disk, log, held, unfinished, reports, appeals, flagged] = await Promise.all([
    installationDiskSpace(db, config.dataDir),
    logAlerts(db, now),
    heldVotes(db),
    unfinishedDecisions(db, now - unfinishedMs),
    openReports(db),
    openAppeals(db),
    flaggedPolls(db),
  ]);
  const [publishes, paused, mail, imports, webhooks, backupAt, hasOtherBackup, polls] = await Promise.all([
    failedPublishes(db),
    pausedSince(db),
    failingMail(db),
    unfinishedImports(db, now - importDeadAfterMs),
    failedWebhooks(db),
    lastBackupAt(config.dataDir),
    isConfirmed(db, 'backup'),
    currentPolls(db, now, now + weekMs),
  ]);
  const items = [
    ...(disk === null || disk.level === 'ok'
      ? []
      : [item('disk', { level: disk.level === 'low' ? 'open' : 'urgent' })]),
    ...counted('results-differ', { count: log.differences.length, oldest: null }, { level: 'urgent' }),
    ...counted('vote-log', { count: log.problems.length + log.overdue, oldest: null }, { level: 'urgent' }),
    ...counted('witnesses', {
      count: log.witnesses.length,
      oldest: log.witnesses[0] === undefined ? null : Date.parse(log.witnesses[0].since),
    }),
    ...counted('votes-held', held, {
      level: held.expires !== null && held.expires - now < expiresSoonMs ? 'urgent' : 'open',
      due: isoOrNull(held.expires),
    }),
    ...counted('decisions-unfinished', unfinished, { level: 'urgent' }),
    ...counted('reports', reports),
    ...counted('appeals', appeals),
    ...counted('flags', flagged),
    ...counted(
      'publish-failed',
      { count: publishes.length, oldest: publishes.at(-1)?.finishedAt ?? null },
      { level: 'urgent' },
    ),
    ...(paused === null ? [] : [item('publish-paused', { count: await countChanges(db), since: iso(paused) })]),
    ...counted('mail-failed', mail),
    ...counted('webhooks-paused', webhooks),
    ...counted('imports-unfinished', imports),
    ...(hasOtherBackup || (backupAt !== null && now - backupAt <= oldBackupMs)
      ? []
      : [item('backup', { since: isoOrNull(backupAt) })]),
    ...(await scheduleItems(db, polls, now, config.timeZone)),
  ];
  const rank = ({ level, kind }: TodayItem) =>
    todayLevels.indexOf(level) * todayKinds.length + todayKinds.indexOf(kind);
  const phases = polls.map((poll) => phaseOf(lifespanOf(poll), now));
  return {
    items: items.sort((a, b) => rank(a) - rank(b)),
    disk,
    polls: {
      open: phases.filter((phase) => phase === 'open').length,
      scheduled: phases.filter((phase) => phase === 'upcoming').length,
    },
  };
}

/** What the schedule of weekly polls needs: one that is open, none missing this week, and what ends today. */
async function scheduleItems(
  db: Database,
  polls: readonly ScheduledPoll[],
  now: number,
  zone: string,
): Promise<TodayItem[]> {
  const spans = polls
    .filter(({ is_active }) => is_active)
    .map(({ starts_at, ends_at }) => ({ from: starts_at, to: ends_at }));
  const { gaps } = coverageOf(spans, { from: now, to: now + weekMs });
  const isNoneOpen = gaps[0]?.from === now;
  const later = isNoneOpen ? gaps.slice(1) : gaps;
  const midnight = dayStart(shiftDay(localDayOf(now, zone), 1), zone);
  const ending = polls.filter((poll) => phaseOf(lifespanOf(poll), now) === 'open' && poll.ends_at < midnight);
  const first = ending[0];
  const next = isNoneOpen && gaps[0]!.to < now + weekMs ? gaps[0]!.to : null;
  return [
    ...(isNoneOpen
      ? [item('no-open-poll', { level: 'urgent', since: isoOrNull(await lastPollClosed(db)), due: isoOrNull(next) })]
      : []),
    ...counted('poll-gap', { count: later.length, oldest: null }, { due: isoOrNull(later[0]?.from ?? null) }),
    ...counted(
      'polls-ending',
      { count: ending.length, oldest: null },
      {
        level: 'note',
        due: isoOrNull(first?.ends_at ?? null),
        poll: first === undefined ? null : { id: first.id, question: first.question },
      },
    ),
  ];
}

function item(kind: TodayKind, facts: Partial<TodayItem> = {}): TodayItem {
  return { kind, level: 'open', count: 1, since: null, due: null, poll: null, ...facts };
}

/** An item if there is anything to count. */
function counted(kind: TodayKind, { count, oldest }: Waiting, facts: Partial<TodayItem> = {}): TodayItem[] {
  return count === 0 ? [] : [item(kind, { count, since: isoOrNull(oldest), ...facts })];
}

import { ArchiveMoves } from './archive-counters.service.ts';
import { priorities, recordChanges } from '#api/publishing/changes.service.ts';
import type { Priority } from '#api/publishing/changes.service.ts';
import { indexPolls } from '#api/search/search-index.service.ts';
import type { ClosedBallot } from '#api/voting/ballots.service.ts';
import { enqueuePollEvents } from '#api/webhooks/events.service.ts';
import type { Database } from '#platform/database.ts';

interface Closing {
  /** When they were closed, which may be after their end. */
  readonly at: number;
  readonly priority?: Priority;
  /** What else the transaction changes in the archive’s counters: they are locked once, in one order. */
  readonly archive?: ArchiveMoves;
}

/**
 * What follows when ballots close, in the transaction that closes them, whoever does: their end time, an operator, their
 * creator, a moderator, an import. An operator’s closing is in the audit log besides, and changes when the poll was edited.
 */
export async function pollsClosed(
  trx: Database,
  ballots: readonly ClosedBallot[],
  { at, priority = priorities.now, archive = new ArchiveMoves() }: Closing,
): Promise<void> {
  const ids = (some: readonly ClosedBallot[]) => some.map(({ id }) => id);
  const weekly = ballots.filter(({ kind }) => kind === 'poll');
  for (const { category } of weekly) archive.move(null, { category, closedAt: at });
  await archive.count(trx);
  // What search knows of a community poll is the same once it has ended.
  await indexPolls(trx, ids(weekly));
  const shown = ballots.filter(({ kind, listed }) => kind === 'poll' || listed);
  const changes = shown.map(({ id, kind }) => ({ kind, key: id, event: 'closed' }) as const);
  await recordChanges(trx, at, changes, priority);
  await enqueuePollEvents(
    trx,
    ids(ballots).map((pollId) => ({ type: 'poll.closed', at, pollId })),
  );
}

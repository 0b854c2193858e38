import { priorities, recordChanges } from '#api/publishing/changes.service.ts';
import type { Priority } from '#api/publishing/changes.service.ts';
import { indexPolls } from '#api/search/search-index.service.ts';
import type { PollKind } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { pollsOpened } from './opening.service.ts';

interface CreatedBallot {
  readonly id: string;
  readonly kind: PollKind;
  /** Publicly listed; false for unlisted and private community polls. */
  readonly listed: boolean;
}

interface Creation {
  /** In milliseconds. */
  readonly at: number;
  readonly event: 'created' | 'imported';
  readonly priority?: Priority;
}

/**
 * What follows when polls are created, in the transaction that stores them with their texts and options, whoever does: an
 * editor, a member, an import, the demo. Whoever it is adds them to the headline figures, last.
 */
export async function pollsCreated(
  trx: Database,
  ballots: readonly CreatedBallot[],
  { at, event, priority = priorities.now }: Creation,
): Promise<void> {
  const listed = ballots.filter((ballot) => ballot.listed);
  await indexPolls(
    trx,
    listed.map(({ id }) => id),
  );
  await recordChanges(
    trx,
    at,
    listed.map(({ id, kind }) => ({ kind, key: id, event })),
    priority,
  );
  await pollsOpened(
    trx,
    ballots.map(({ id }) => id),
    at,
  );
}

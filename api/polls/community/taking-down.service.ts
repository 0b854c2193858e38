import { record } from '#api/events/record.service.ts';
import { demonstrationMembers } from '#content/demo/community-polls.ts';
import { lockBallots, setBallotShown } from '#api/voting/ballots.service.ts';
import type { Visibility } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import type { TakenDownBy } from './community-poll.model.ts';

const demonstrationIds: ReadonlySet<string> = new Set(Object.values(demonstrationMembers).map(({ id }) => id));

/** Polls of demonstration data count toward no total. */
const isDemonstration = (creator: string | null) => creator !== null && demonstrationIds.has(creator);

/** A poll to take down or restore, at the moment `now` in milliseconds. */
interface TakingDown {
  readonly id: string;
  readonly by: TakenDownBy;
  readonly now: number;
}

type Outcome = 'changed' | 'unchanged' | 'missing';

/**
 * Takes a community poll down: nobody but its creator sees it anywhere, and it takes no votes. What a
 * moderator takes down stays so when a suspension ends. The transaction must not have locked the poll yet.
 */
export async function takeDownPoll(trx: Database, { id, by, now }: TakingDown): Promise<Outcome> {
  if (!(await setBallotShown(trx, id, null))) return 'missing';
  const poll = await CommunityPollModel.query(trx).findById(id);
  if (!poll) return 'missing';
  if (poll.taken_down_by !== null) {
    if (by !== 'moderator' || poll.taken_down_by === by) return 'unchanged';
    await CommunityPollModel.query(trx).findById(id).patch({ taken_down_by: by });
    return 'changed';
  }
  const { visibility } = poll;
  await CommunityPollModel.query(trx)
    .findById(id)
    .patch({ taken_down_by: by, taken_down_from: visibility, visibility: 'private' });
  await recordShown(trx, 'poll.hidden', { id, now, visibility });
  return 'changed';
}

/** Shows a poll again that was taken down by `by`, with the visibility it had; `suspended`: its creator still is. */
export async function restorePoll(
  trx: Database,
  { id, by, now }: TakingDown,
  { suspended = false }: { readonly suspended?: boolean } = {},
): Promise<Outcome> {
  await lockBallots(trx, [id]);
  const poll = await CommunityPollModel.query(trx).findById(id);
  if (!poll) return 'missing';
  const { taken_down_by, taken_down_from: visibility } = poll;
  if (taken_down_by !== by || visibility === null) return 'unchanged';
  if (suspended) {
    await CommunityPollModel.query(trx).findById(id).patch({ taken_down_by: 'suspension' });
    return 'changed';
  }
  const isPublic = visibility === 'public';
  await setBallotShown(trx, id, { listed: isPublic, inTotals: isPublic && !isDemonstration(poll.created_by) });
  await CommunityPollModel.query(trx).findById(id).patch({ taken_down_by: null, taken_down_from: null, visibility });
  await recordShown(trx, 'poll.shown', { id, now, visibility });
  return 'changed';
}

async function recordShown(
  trx: Database,
  type: 'poll.hidden' | 'poll.shown',
  { id, now, visibility }: { readonly id: string; readonly now: number; readonly visibility: Visibility },
): Promise<void> {
  const poll = { kind: 'community', listed: visibility === 'public' } as const;
  await record(trx, { type, at: now, subject: { kind: 'community-poll', id }, poll });
}

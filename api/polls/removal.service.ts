import type { Database } from '#platform/database.ts';
import { deleteBallot } from '#api/voting/voting.service.ts';
import { countArchive } from './archive.service.ts';
import { holdPoll, isDemonstrationPoll } from './managing.queries.ts';

export { demonstrationPollIds } from './managing.queries.ts';

/**
 * Deletes a poll that came with the software, with its votes, within the caller's transaction; who voted stays a
 * participant. False when it is gone, or an import has made it the operator's own. `lastLook` sees it when nothing about
 * its votes changes any more.
 */
export async function removeDemonstrationPoll(
  trx: Database,
  id: string,
  lastLook: () => Promise<void>,
): Promise<boolean> {
  const held = await holdPoll(trx, id);
  if (!held || !(await isDemonstrationPoll(trx, id))) return false;
  // The counters of the archive come before the headline figures, as wherever both are moved.
  await deleteBallot(trx, id, async () => {
    await lastLook();
    if (held.closed_at !== null) await countArchive(trx, new Map([[held.category ?? '', -1]]));
  });
  return true;
}

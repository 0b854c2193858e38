import { communityApiTexts } from '#texts/community-api.ts';
import { recordFeatured } from '#api/activity/facts.service.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** Features a public poll or takes it back, for the operator; the list's page is built again. */
export async function setFeatured(
  { db, clock }: CommunityContext,
  pollId: string,
  featured: boolean,
): Promise<'done' | 'not-found' | 'not-public'> {
  return db.transaction(async (trx) => {
    // The fact comes first: whoever deletes an account takes the account before its polls, too.
    if (featured) await recordFeatured(trx, pollId, clock.now());
    const changed = await CommunityPollModel.query(trx)
      .where({ id: pollId, visibility: 'public' })
      .patch({ featured, updated_at: clock.now() });
    if (changed === 0) return (await CommunityPollModel.query(trx).findById(pollId)) ? 'not-public' : 'not-found';
    await requestBuild(trx, clock, communityApiTexts.buildReasons.featured);
    return 'done';
  });
}

import { communityApiTexts } from '#texts/community-api.ts';
import { requestBuild } from '#api/publishing/publishing.service.ts';
import { CommunityPollModel } from './community-poll.model.ts';
import type { CommunityContext } from './community-polls.service.ts';

/** What became of the operator's wish, with the poll's question where it was fulfilled. */
export type Featuring =
  { readonly status: 'done'; readonly question: string } | { readonly status: 'not-found' | 'not-public' };

/** Features a public poll or takes it back, for the operator; the list's page is built again. */
export async function setFeatured(
  { db, clock }: CommunityContext,
  pollId: string,
  featured: boolean,
): Promise<Featuring> {
  return db.transaction(async (trx) => {
    const changed = await CommunityPollModel.query(trx)
      .where({ id: pollId, visibility: 'public' })
      .patch({ featured, updated_at: clock.now() });
    const poll = await CommunityPollModel.query(trx).findById(pollId);
    if (!poll) return { status: 'not-found' };
    if (changed === 0) return { status: 'not-public' };
    await requestBuild(trx, clock, communityApiTexts.buildReasons.featured);
    return { status: 'done', question: poll.question };
  });
}

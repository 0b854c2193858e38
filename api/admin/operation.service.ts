import { serverLimits } from '#contract/server-limits.ts';
import type { Publishing } from '#contract/publishing.ts';
import { reportedComments, setCommentHidden } from '#api/comments/moderation.service.ts';
import { setFeatured } from '#api/community-polls/community-polls.service.ts';
import type { PreviewLinks } from '#api/polls/preview-links.service.ts';
import { rollbackRelease, pinnedRelease, releasePin } from '#api/publishing/build.service.ts';
import { publishingOverview } from '#api/publishing/overview.service.ts';
import { requestBuildNow } from '#api/publishing/publishing.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts as texts } from '#texts/admin-api.ts';

/** What the operator's deeds stand on. */
export interface OperationContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: { readonly dataDir: string };
  readonly intake: Pick<VotingIntake, 'between'>;
  readonly previews: PreviewLinks;
}

/** Asks for a build that begins at once; answers where publishing stands then. Throws CONFLICT while a release is pinned. */
export async function rebuildSite({ db, clock, config }: OperationContext, force: boolean): Promise<Publishing> {
  if ((await pinnedRelease(db, config.dataDir)) !== null) throw errors.conflict(texts.pinned);
  await requestBuildNow(db, clock, texts.buildReason, { force });
  return publishingOverview(db, config.dataDir);
}

/** Serves a release that is kept again; throws NOT_FOUND when it is not kept any more. */
export async function useRelease(
  { db, clock, config }: OperationContext,
  id: string,
  options: { readonly pin?: boolean },
): Promise<Publishing> {
  if ((await rollbackRelease(db, clock, config.dataDir, id, options)) === null)
    throw errors.noSuchRelease(texts.noSuchRelease);
  return publishingOverview(db, config.dataDir);
}

/** Lets builds replace a pinned release again, and asks for one. */
export async function unpinRelease({ db, clock, config }: OperationContext): Promise<Publishing> {
  await releasePin(db, clock);
  return publishingOverview(db, config.dataDir);
}

/** Reported comments, newest report first, and how many there are in all. */
export async function listReports({ db }: OperationContext) {
  const { comments, total } = await reportedComments(db, serverLimits.reportsListed);
  return {
    comments: comments.map(({ reportedAt, reasons, ...comment }) => ({
      ...comment,
      reasons: [...reasons],
      reportedAt: iso(reportedAt),
    })),
    total,
  };
}

/** Hides a comment or shows it again; asking for what is so already changes nothing. */
export async function hideComment({ db }: OperationContext, commentId: string, hidden: boolean): Promise<void> {
  if ((await setCommentHidden(db, commentId, hidden)) === 'missing') throw errors.commentNotFound();
}

/** Features a public community poll or takes it back. */
export async function featurePoll(context: OperationContext, pollId: string, featured: boolean): Promise<void> {
  const outcome = await setFeatured(context, pollId, featured);
  if (outcome === 'not-found') throw errors.pollNotFound();
  if (outcome === 'not-public') throw errors.badRequest(texts.onlyPublic);
}

export { buildFigures } from '#api/publishing/overview.service.ts';
export { publishingOverview } from '#api/publishing/overview.service.ts';

import { sweepAccounts } from '#api/members/accounts/session-store.service.ts';
import { removeOldEmailInvites } from '#api/polls/community/email-invites.service.ts';
import { sweepImages } from '#api/content/images.service.ts';
import { sweepInsights } from '#api/admin/insights/insights.service.ts';
import { sweepVoteCodes } from '#api/integrity/vote-codes.service.ts';
import { sweepDecisions } from '#api/moderation/decisions.service.ts';
import { sweepNotifications } from '#api/members/notifications/notifications.service.ts';
import { removeOldInvitations } from '#api/admin/operators/operators.service.ts';
import { sweepOrigins } from '#api/members/creation/creation.service.ts';
import { sweepPublishes } from '#api/publishing/job.service.ts';
import { forgetSpellings } from '#api/search/spelling.service.ts';
import { sweepDeliveries } from '#api/admin/webhooks/sender.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { sweepIdempotencyKeys } from '#platform/idempotency.ts';

/** Deletes what is no longer kept. */
export async function sweepExpired({ db, clock }: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const now = clock.now();
  await sweepAccounts(db, now);
  await removeOldInvitations(db, now);
  await removeOldEmailInvites(db, now);
  await sweepIdempotencyKeys(db, now);
  await sweepNotifications(db, now);
  await sweepOrigins(db, now);
  await sweepDecisions(db, now);
  await sweepVoteCodes(db, now);
  await sweepImages(db, now);
  await sweepDeliveries(db, now);
  await sweepInsights(db, now);
  await sweepPublishes(db);
  await forgetSpellings(db);
}

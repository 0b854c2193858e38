import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { accountComposers } from './accounts/account-mails.service.ts';
import { emailLinkMs } from './accounts/email-changes.service.ts';
import { invitationComposer } from './community-polls/email-invites.service.ts';
import { deskComposer } from './desk/notice.service.ts';
import { voteCodeComposer } from './integrity/vote-codes.service.ts';
import type { JobKinds } from './jobs/runner.service.ts';
import type { Outbox } from './mail/outbox.service.ts';
import { sendDelivery } from './webhooks/sender.service.ts';
import { webhooksMax } from '#contract/webhook.ts';
import { mailSender } from './mail/sender.service.ts';
import { digestComposer, queueDigest } from './notifications/digest.service.ts';

/** What the background work needs. */
export interface BackgroundServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Pick<
    Config,
    'dataDir' | 'mailFrom' | 'privateWebhooks' | 'publicUrl' | 'siteName' | 'smtpUrl' | 'timeZone'
  >;
  /** Keys that sign links, newest first. */
  readonly keys: readonly string[];
  readonly mail: Outbox;
}

const [seconds, minutes, days] = [1_000, 60_000, 86_400_000];

/**
 * The work that the API service does in the background, in the order in which it is asked for. Each kind has workers of its own, so that
 * none waits for another one.
 */
export function backgroundWork(services: BackgroundServices): JobKinds {
  const { config, mail } = services;
  const composers = {
    ...accountComposers(services),
    digest: digestComposer(services),
    invitation: invitationComposer(services),
    'vote-code': voteCodeComposer(services),
    desk: deskComposer(services),
  };
  return {
    delivery: {
      run: (job) => sendDelivery(services, job),
      failed: 'a webhook did not accept an event',
      // One for each webhook.
      lanes: webhooksMax,
      // A day in all.
      retryMs: [10, 60, 360, 2_160, 10_800, 28_800, 44_210].map((wait) => wait * seconds),
    },
    // Without a mail server, what was queued for one waits for a day.
    ...(mail.on && {
      mail: {
        ...mailSender({ config, composers }),
        failed: 'a mail could not be sent',
        lanes: 1,
        retryMs: [1, 5, 15, 60, 240, 720].map((wait) => wait * minutes),
        aheadMs: emailLinkMs,
      },
      digest: {
        run: (job) => queueDigest(services, job),
        failed: 'a digest could not be queued',
        lanes: 1,
        retryMs: [1, 5, 60].map((wait) => wait * minutes),
        aheadMs: 7 * days,
      },
    }),
  };
}

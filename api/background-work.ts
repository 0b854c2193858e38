import { webhooksMax } from '#api/admin/webhooks/webhooks.contract.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { accountComposers } from './members/accounts/account-mails.service.ts';
import { emailLinkMs } from './members/accounts/email-changes.service.ts';
import { awardJobDue } from './members/badges/awards.service.ts';
import { invitationComposer } from './polls/community/email-invites.service.ts';
import { rankPolls } from './polls/community/ranking.service.ts';
import { todayComposer, reportUndecided } from './admin/today/notice.service.ts';
import { countVoteHours } from './admin/insights/vote-hours.service.ts';
import { scorePolls } from './integrity/scoring.service.ts';
import { voteCodeComposer } from './integrity/vote-codes.service.ts';
import type { JobKinds } from './platform/jobs/runner.service.ts';
import { lifecycleTask } from './polls/lifecycle/lifecycle.service.ts';
import { sweepExpired } from './polls/lifecycle/sweep.service.ts';
import type { Outbox } from './mail/outbox.service.ts';
import { mailSender } from './mail/sender.service.ts';
import { digestComposer, queueDigest, skipDigest } from './members/notifications/digest.service.ts';
import { learnSpellings } from './search/spelling.service.ts';
import { expireHolds } from './voting/decisions.service.ts';
import { expireWriteIns } from './voting/write-ins.service.ts';
import { deletionTask } from './voting/deletion.service.ts';
import { beginWaves } from './polls/recurrences.service.ts';
import type { VotingIntake } from './voting/intake.service.ts';
import { countDays } from './voting/option-days.service.ts';
import { recordFailure, sendDelivery } from './admin/webhooks/sender.service.ts';

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
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}

const [seconds, minutes, days] = [1_000, 60_000, 86_400_000];

/**
 * Everything that the API service does in the background, in the order in which it is asked for. Each kind has workers of its
 * own, so that none waits for another one. What is repeated is done by one of several processes at a time, if nothing else is
 * said. Three things are elsewhere: the process that publishes claims changes of pages (api/publishing); the thread that writes the
 * vote log has the lease of a job that its every transaction confirms (api/integrity/log); and badges for what members have just
 * done are awarded by the process that answered them (api/members/badges).
 */
export function backgroundWork(services: BackgroundServices): JobKinds {
  const { db, config, mail } = services;
  const deleteVotes = deletionTask(services);
  const openAndClose = lifecycleTask(services);
  const composers = {
    ...accountComposers(services),
    digest: digestComposer(services),
    invitation: invitationComposer(services),
    'vote-code': voteCodeComposer(services),
    desk: todayComposer(services),
  };
  return {
    'open-and-close': {
      repeat: openAndClose,
      // When another process dies, polls still close on time.
      inEachProcess: true,
      // Sooner if something is due: another process may have imported polls.
      everyMs: 15 * seconds,
      // Polls close on time.
      afterErrorMs: seconds,
      failed: 'could not open or close polls',
    },
    'delete-votes': {
      repeat: deleteVotes,
      everyMs: 2 * seconds,
      failed: 'could not delete votes',
    },
    score: {
      async repeat(signal) {
        await expireHolds(services);
        await expireWriteIns(services);
        await scorePolls(services, signal);
      },
      everyMs: minutes,
      failed: 'could not score the polls',
    },
    badges: {
      run: (job) => awardJobDue(services, job),
      lanes: 1,
      retryMs: [1, 5, 60].map((wait) => wait * minutes),
      failed: 'badges of a member could not be awarded',
    },
    delivery: {
      run: (job) => sendDelivery(services, job),
      recordFailure: (job, failure) => recordFailure(services, job, failure),
      // One for each webhook.
      lanes: webhooksMax,
      // A day in all.
      retryMs: [10, 60, 360, 2_160, 10_800, 28_800, 44_210].map((wait) => wait * seconds),
      failed: 'a webhook did not accept an event',
    },
    // Without a mail server, what was queued for one waits for a day.
    ...(mail.on && {
      mail: {
        ...mailSender({ config, composers }),
        lanes: 1,
        retryMs: [1, 5, 15, 60, 240, 720].map((wait) => wait * minutes),
        aheadMs: emailLinkMs,
        endsWithProcess: true,
        failed: 'a mail could not be sent',
      },
      digest: {
        run: (job) => queueDigest(services, job),
        recordFailure: (job) => skipDigest(services, job),
        lanes: 1,
        retryMs: [1, 5, 60].map((wait) => wait * minutes),
        aheadMs: 7 * days,
        failed: 'a digest could not be queued',
      },
    }),
    notice: {
      async repeat() {
        await reportUndecided(services);
      },
      everyMs: 5 * minutes,
      failed: 'could not report what needs a decision',
    },
    rank: {
      async repeat() {
        await rankPolls(services);
      },
      everyMs: minutes,
      failed: 'could not rank community polls',
    },
    'count-hours': {
      async repeat(signal) {
        await countVoteHours({ ...services, signal });
      },
      everyMs: 15 * seconds,
      failed: 'could not count votes per hour',
    },
    'count-days': {
      async repeat(signal) {
        await countDays({ ...services, signal });
      },
      everyMs: 30 * seconds,
      failed: 'could not count the votes of closed polls by day',
    },
    spelling: {
      async repeat() {
        await learnSpellings(db);
      },
      everyMs: 15 * seconds,
      failed: 'could not learn words for search',
    },
    sweep: {
      async repeat() {
        await beginWaves(services);
        await sweepExpired(services);
      },
      everyMs: 60 * minutes,
      failed: 'could not begin waves of polls, or delete what has expired',
    },
  };
}

import Koa from 'koa';
import { attemptCounters } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { poolFigures } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Logger } from '#platform/logger.ts';
import { Metrics } from '#platform/metrics.ts';
import { answerInTime, errorBodies, rateLimitReads, sameSiteWrites } from '#platform/middleware.ts';
import { loopback, proxiesOf } from '#platform/nearby.ts';
import { requestLog } from '#platform/request-log.ts';
import { sessionKeeper } from '#platform/session.ts';
import { voteLimits } from '#platform/vote-limits.ts';
import { mountAdmin } from './admin/admin.routes.ts';
import type { IsAdminPassword } from './admin/admin-auth.service.ts';
import { mountAccounts } from './accounts/accounts.routes.ts';
import { passwordQueue } from './accounts/passwords.service.ts';
import { sessions } from './accounts/sessions.routes.ts';
import { heedMembers } from './activity/activity.routes.ts';
import { ActivityFollower } from './activity/activity.service.ts';
import { mountBlog } from './blog/blog.routes.ts';
import { mountComments } from './comments/comments.routes.ts';
import { mountCommunityPolls } from './community-polls/community-polls.routes.ts';
import { communityVoting } from './community-polls/community-vote.service.ts';
import { mountHealth } from './health/health.routes.ts';
import { writeChecks } from './health/write-check.service.ts';
import { mountOpenApi } from './health/openapi.routes.ts';
import { pollVoting } from './polls/poll-vote.service.ts';
import { mountPolls } from './polls/polls.routes.ts';
import { previewLinks } from './polls/preview-links.service.ts';
import { mountProfile } from './profile/profile.routes.ts';
import { mountStatistics } from './statistics/statistics.routes.ts';
import { createVotingIntake } from './voting/intake.service.ts';

/** What the API is built on. Everything that differs between a test and an installation comes in here. */
export interface AppOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<
    Config,
    'dataDir' | 'earlyAdopterUntil' | 'publicUrl' | 'rateLimit' | 'siteName' | 'trustedProxies'
  >;
  readonly log: Logger;
  /** Keys that sign cookies, newest first. */
  readonly keys: readonly string[];
  readonly isAdminPassword: IsAdminPassword;
}

/** The API as a Koa application, and the way to let votes that wait be committed before the process ends. */
export interface App {
  readonly koa: Koa;
  readonly metrics: Metrics;
  /** From now on health says so, and every connection ends with its answer. */
  beginToEnd(): void;
  /** Resolves when what was begun is done; a vote that comes later is refused. */
  drain(): Promise<void>;
}

/** Puts the rooms together; the only place that knows every one of them. */
export function createApp({ db, clock, config, log, keys, isAdminPassword }: AppOptions): App {
  const koa = new Koa({ keys: [...keys] });
  const metrics = new Metrics();
  let ending = false;
  const isEnding = () => ending;
  const intake = createVotingIntake({ db, clock, log, metrics });
  const router = new EndpointRouter();
  const keeper = sessionKeeper(config.publicUrl);
  const passwords = passwordQueue();
  const activity = new ActivityFollower({ db, clock, log });
  const previews = previewLinks(keys, clock);
  const counting = { clock, secret: keys[0] ?? '', on: config.rateLimit };
  const attempts = attemptCounters({ db, ...counting });
  const limitedVote = voteLimits({ intake, ...counting });

  mountHealth(router, { db, checkWrite: writeChecks({ db, dataDir: config.dataDir, intake }), isEnding });
  mountStatistics(router, { db, clock });
  const castPollVote = pollVoting({ db, clock, intake });
  mountPolls(router, { db, clock, config, previews, castPollVote, limitedVote });
  mountBlog(router, db);
  mountAccounts(router, { db, clock, config, keeper, passwords, attempts });
  mountComments(router, { db, clock, attempts });
  const castCommunityVote = communityVoting({ db, clock, intake });
  mountCommunityPolls(router, { db, clock, config, attempts, castCommunityVote, limitedVote });
  mountProfile(router, { db, clock, keeper, passwords, attempts, activity });
  mountAdmin(router, { db, clock, config, attempts, isAdminPassword, log, intake, metrics, previews });
  mountOpenApi(router, config);

  koa.on('error', (error: unknown) => log.error({ err: error }, 'a connection failed'));
  metrics.read('draining', () => ({ now: Number(ending) }));
  metrics.read('database_connections', () => poolFigures(db), 'state');

  // The site service is on this machine, unless it is named: it must be believed also where it has no proxy itself.
  const isProxy = proxiesOf([...loopback, ...config.trustedProxies]);
  koa.use(requestLog({ log, metrics, isEnding, isProxy }));
  koa.use(errorBodies(log));
  koa.use(answerInTime());
  koa.use(sameSiteWrites(config.publicUrl));
  if (config.rateLimit) koa.use(rateLimitReads());
  koa.use(sessions(koa, { db, clock, keeper }));
  koa.use(heedMembers(activity));
  koa.use(router.routes());
  return {
    koa,
    metrics,
    beginToEnd() {
      ending = true;
    },
    async drain() {
      await intake.drain();
      await activity.drain();
    },
  };
}

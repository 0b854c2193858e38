import './consequences.ts';
import { roomHeader } from '#contract/vocabulary.ts';
import { meansOf, offeredProtections } from '#domain/protection.ts';
import { hostLabel } from '#domain/referring-host.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import Koa from 'koa';
import { attemptCounters } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { poolStats } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Logger } from '#platform/logger.ts';
import { Metrics } from '#platform/metrics.ts';
import { directly } from '#platform/direct.ts';
import {
  connectionLog,
  errorBodies,
  headerOf,
  rateLimitReads,
  requestLog,
  requestTimeout,
  sameSiteWrites,
} from '#platform/middleware.ts';
import { loopback, parseProxies, refuseSeveralHosts } from '#platform/trusted-proxies.ts';
import { hasSessionCookie, sessionKeeper } from '#platform/session.ts';
import { voteLimits } from './voting/vote-limits.ts';
import { mountAdmin } from './admin/admin.routes.ts';
import type { IsAdminPassword } from './admin/admin-auth.service.ts';
import { mountAccounts } from './members/accounts/accounts.routes.ts';
import { passwordQueue } from './members/accounts/passwords.service.ts';
import { sessions } from './members/accounts/sessions.routes.ts';
import { ActivityTracker } from './members/badges/activity.service.ts';
import { mountAuditLog } from './admin/audit/audit.routes.ts';
import { mountBadges, trackActivity } from './members/badges/badges.routes.ts';
import { mountBlog } from './content/blog/blog.routes.ts';
import { mountComments } from './comments/comments.routes.ts';
import { mountCommunityPolls } from './polls/community/community-polls.routes.ts';
import { mountContent } from './content/content.routes.ts';
import { contentTitles } from './content/drafts.service.ts';
import { communityBallots } from './polls/community/community-vote.service.ts';
import { mountToday } from './admin/today/today.routes.ts';
import { mountGuesses } from './polls/guesses/guesses.routes.ts';
import { mountHealth } from './health/health.routes.ts';
import { insightCounters } from './admin/insights/counters.service.ts';
import { mountInsights } from './admin/insights/insights.routes.ts';
import { mountInterventions } from '#api/integrity/interventions/interventions.routes.ts';
import { cachedWriteCheck } from './health/health.service.ts';
import { mountModeration } from './moderation/moderation.routes.ts';
import { mailOutbox } from './mail/outbox.service.ts';
import { mountNotifications } from './members/notifications/notifications.routes.ts';
import { mountOpenApi } from './health/openapi.routes.ts';
import { mountExports } from './polls/exports/exports.routes.ts';
import { mountIntegrityLog, servePublishedLog } from './integrity/log/integrity-log.routes.ts';
import { votePromises } from './integrity/log/promises.service.ts';
import { logKeyOf } from './integrity/log/signing.ts';
import { serveWitness } from './integrity/log/witness.routes.ts';
import { pollBallots } from './polls/poll-vote.service.ts';
import { mountOperators } from './admin/operators/operators.routes.ts';
import { makeHtmlSafe } from './polls/import/poll-import.service.ts';
import { mountPollEditor } from './polls/poll-editor.routes.ts';
import { mountPolls } from './polls/polls.routes.ts';
import { previewLinks } from './polls/preview-links.service.ts';
import { mountScreens } from './polls/screen/screen.routes.ts';
import type { Pages } from './publishing/pages.routes.ts';
import { mountProfile } from './members/profile/profile.routes.ts';
import { mountSearch } from './search/search.routes.ts';
import { mountStatistics } from './voting/statistics.routes.ts';
import { createVotingIntake } from './voting/intake.service.ts';
import type { VotingIntake } from './voting/intake.service.ts';
import { voteChallenges } from './integrity/challenges.service.ts';
import { voteAuthorization } from './integrity/vote-authorization.service.ts';
import { mountHeldVotes } from './integrity/held-votes.routes.ts';
import { mountVoteCodes } from './integrity/vote-codes.routes.ts';
import { voteCodes } from './integrity/vote-codes.service.ts';
import { networkDigests } from './voting/network-digests.ts';
import { roomCodes } from './voting/room-codes.service.ts';
import { createVoters } from './voting/voter.ts';
import { mountVoting } from './voting/voting.routes.ts';
import { mountWebhooks } from './admin/webhooks/webhooks.routes.ts';

/** Dependencies of the API: everything that differs between tests and production. */
export interface AppOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<
    Config,
    | 'databaseUrl'
    | 'apiHost'
    | 'dataDir'
    | 'earlyAdopterUntil'
    | 'embedVotingSites'
    | 'mailFrom'
    | 'privateWebhooks'
    | 'publicUrl'
    | 'rateLimit'
    | 'siteName'
    | 'smtpUrl'
    | 'supportEmail'
    | 'timeZone'
    | 'trustedProxies'
    | 'weeklySlots'
    | 'witnesses'
    | 'witnessLogs'
  >;
  readonly log: Logger;
  /** Keys that sign cookies, newest first. */
  readonly keys: readonly string[];
  /** The key of the digests of voters. */
  readonly voterKey: string;
  /** Seeds of the keys that sign the vote log, newest first. */
  readonly logKeys: readonly string[];
  /** Seed of the key that cosigns the logs of others. */
  readonly witnessKey: string;
  readonly isAdminPassword: IsAdminPassword;
  /** Answers requests for pages that are not saved; by default there are none. */
  readonly pages?: Pages['serve'];
}

/** The API as a Koa application, and its shutdown. */
export interface App {
  /** Answers a request. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly metrics: Metrics;
  readonly intake: VotingIntake;
  /** Health reports it from now on, and each response closes its connection. */
  startDraining(): void;
  /** Resolves when all queued work is done; later votes are refused. */
  drain(): Promise<void>;
}

/** Composes the features; the only module that imports all of them. */
export function createApp(options: AppOptions): App {
  const { db, clock, config, log, keys, voterKey, logKeys, witnessKey, isAdminPassword } = options;
  const { witnesses, witnessLogs } = config;
  const koa = new Koa({ keys: [...keys] });
  const metrics = new Metrics();
  let draining = false;
  const isDraining = () => draining;
  const promises = votePromises({ db, clock, log, key: logKeyOf(logKeys[0] ?? '') });
  const intake = createVotingIntake({ db, clock, log, metrics, promises });
  const router = new EndpointRouter();
  const keeper = sessionKeeper(config.publicUrl, keys);
  const passwords = passwordQueue(config.siteName);
  const activity = new ActivityTracker({ db, clock, log });
  const previews = previewLinks(keys, clock);
  const rooms = roomCodes(keys, clock);
  const counting = { clock, secret: keys[0] ?? '', on: config.rateLimit };
  const attempts = attemptCounters({ db, ...counting });
  const mail = mailOutbox({ clock, on: config.smtpUrl !== null });
  const voters = createVoters({
    ...{ clock, voterKey, publicUrl: config.publicUrl, embedVoting: config.embedVotingSites.length > 0 },
  });
  const limitedVote = voteLimits({ db, intake, ...counting });
  const insights = insightCounters({ db, clock, log, publicUrl: config.publicUrl });
  const networks = networkDigests({ db, clock, intake });
  const [polls, communityPolls] = [pollBallots({ db, clock }), communityBallots({ db, clock, intake, log })];
  const secret = keys[0] ?? '';
  const protections = offeredProtections(meansOf(config));
  const requireChallenge = voteChallenges({ db, clock, intake, secret, publicUrl: config.publicUrl });
  const kinds = { poll: polls, community: communityPolls };
  const codes = voteCodes({ db, clock, attempts, mail, networks, kinds, secret });

  mountHealth(router, { db, checkWrite: cachedWriteCheck({ db, dataDir: config.dataDir, intake }), isDraining });
  mountStatistics(router, { db, clock });
  mountVoting(router, {
    authorizeVote: voteAuthorization({ db, clock, codes, requireChallenge }),
    ...{ clock, intake, limitedVote, attempts, networks, rooms, voters, insights },
    ...{ polls, communityPolls },
  });
  mountVoteCodes(router, { codes, voters });
  mountHeldVotes(router, { db, clock, intake, promises, attempts, voters, kinds, checks: requireChallenge !== null });
  mountInterventions(router, { db, clock });
  mountPolls(router, { db, clock, previews, voters });
  mountGuesses(router, { db, clock, attempts, voters });
  mountIntegrityLog(router, { db, clock, witnesses });
  mountBlog(router, db);
  mountSearch(router, { db, clock });
  mountAccounts(router, { db, clock, config, keeper, passwords, attempts, voters, mail });
  mountComments(router, { db, clock, attempts, networkDigest: networks.forContent });
  mountCommunityPolls(router, {
    ...{ db, clock, config, intake, attempts, mail, voters, protections },
    networkDigest: networks.forContent,
  });
  mountModeration(router, { db, clock, attempts });
  mountBadges(router, { db, activity });
  mountProfile(router, { db, clock, keeper, passwords, attempts, activity, mail });
  mountNotifications(router, { db, clock, config, keys, mail });
  const guarded = mountAdmin(router, {
    ...{ db, clock, config, attempts, isAdminPassword, log, intake, metrics, previews, protections },
  });
  mountToday(guarded, { db, clock, config, mail });
  mountOperators(router, guarded, { db, clock, config });
  mountAuditLog(guarded, db, contentTitles);
  mountExports(guarded, { db, clock });
  mountPollEditor(guarded, { db, clock, config, previews, protections, safeHtml: makeHtmlSafe });
  mountScreens(router, guarded, { db, clock, config, rooms });
  mountContent(router, guarded, { db, clock, config });
  mountWebhooks(guarded, { db, clock, config });
  mountInsights(router, guarded, { db, clock, config, insights });
  mountOpenApi(router, config);

  koa.on('error', connectionLog(log));
  metrics.read('draining', () => ({ now: Number(draining) }));
  metrics.read('database_connections', () => poolStats(db), 'state');

  // The site service runs on this machine unless configured, and is trusted even when TRUSTED_PROXIES is "none".
  const isProxy = parseProxies([
    ...[...loopback, ...config.trustedProxies],
    // Pages that this service renders call it, and name the visitor.
    ...(isIP(config.apiHost) === 0 ? [] : [config.apiHost]),
  ]);
  const outer = [requestLog({ log, metrics, isDraining, isProxy }), errorBodies(log), requestTimeout()];
  const sameSite = sameSiteWrites(config.publicUrl);
  const tracked = trackActivity(activity);
  for (const middleware of outer) koa.use(middleware);
  // The answer to a form of another site is a page, too.
  if (options.pages) {
    const { host } = new URL(config.publicUrl);
    const countEmbed = (pollId: string, referrer: string) => {
      const from = hostLabel(URL.parse(referrer)?.host ?? '', host);
      if (from !== '') insights.count(pollId, 'embed', from);
    };
    koa.use(options.pages({ isPreview: (id, token) => previews.isValid(id, token), countEmbed }));
  }
  koa.use(sameSite);
  const pollRead = /^\/api\/(?:community-)?polls\/([\w-]+)$/;
  const isInRoom = ({ req, path }: Koa.Context) =>
    rooms.isValid(pollRead.exec(path)?.[1] ?? '', headerOf(req, roomHeader));
  if (config.rateLimit) koa.use(rateLimitReads(isInRoom));
  koa.use(servePublishedLog({ db, clock, witnesses }));
  koa.use(serveWitness({ db, clock, logs: witnessLogs, key: logKeyOf(witnessKey) }));
  koa.use(sessions(koa, { db, clock, keeper }));
  koa.use(tracked);
  koa.use(router.routes());
  const handleAny = koa.callback();
  const handleDirect = directly(koa, [...outer, sameSite, tracked]);
  return {
    handle(request, response) {
      if (refuseSeveralHosts(request, response)) return;
      const serve = hasSessionCookie(request) ? undefined : router.direct(request.method, request.url);
      void (serve ? handleDirect(request, response, serve) : handleAny(request, response));
    },
    metrics,
    intake,
    startDraining() {
      draining = true;
    },
    async drain() {
      await intake.drain();
      await insights.drain();
      await activity.drain();
    },
  };
}

import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Metrics } from '#platform/metrics.ts';
import { isLocalRequest } from '#platform/trusted-proxies.ts';
import { withTimeout } from '#platform/clock.ts';
import type { AuthorizeRequest } from './operator-auth.routes.ts';
import { buildFigures, logAlerts } from './operation.service.ts';

/** Milliseconds to wait for the database. */
const databaseTimeoutMs = 2_000;

interface MetricsContext {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly metrics: Metrics;
  readonly authorize: AuthorizeRequest;
}

/** The metrics of this process, for local monitoring and for operators. */
export function mountMetrics(router: EndpointRouter, { db, clock, metrics, authorize }: MetricsContext): void {
  // One read for several of these; without the database they are left out, and the other metrics are still served.
  const shared = <T>(read: () => Promise<T>) => {
    let pending: Promise<T> | undefined;
    return () =>
      withTimeout(databaseTimeoutMs, (pending ??= read().finally(() => (pending = undefined)))).catch(() => null);
  };
  const figures = shared(() => buildFigures(db, clock.now()));
  const log = shared(() => logAlerts(db, clock.now()));
  metrics.read('builds', async () => (await figures())?.ended ?? null, 'outcome');
  metrics.read('build_seconds', async () => (await figures())?.seconds ?? null, 'outcome');
  metrics.read('builds_open', async () => (await figures())?.open ?? null, 'state');
  metrics.read('build_last_seconds', async () => only((await figures())?.lastSeconds));
  metrics.read('publish_age_seconds', async () => only((await figures())?.publishAge));
  metrics.read('vote_log_behind_seconds', async () => only((await log())?.behindSeconds));
  metrics.read('vote_log_overdue', async () => only((await log())?.overdue));
  metrics.read('vote_log_problems', async () => only((await log())?.problems.length));

  router.mount('metrics', async ({ ctx }) => {
    if (!isLocalRequest(ctx.req)) await authorize(ctx, { admin: 'operator', scope: 'read' });
    const text = await metrics.text();
    ctx.set('content-type', metrics.contentType);
    return text;
  });
}

const only = (figure: number | null | undefined) => (figure === null || figure === undefined ? null : { figure });

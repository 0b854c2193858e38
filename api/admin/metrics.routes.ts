import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Metrics } from '#platform/metrics.ts';
import { clientAddress } from '#platform/middleware.ts';
import { isLocalRequest } from '#platform/trusted-proxies.ts';
import { withTimeout } from '#platform/clock.ts';
import { passwordInHeader } from './admin-auth.service.ts';
import type { AdminAuth } from './admin-auth.service.ts';
import { buildFigures } from './operation.service.ts';

/** Milliseconds to wait for the database. */
const databaseTimeoutMs = 2_000;

interface MetricsContext {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly metrics: Metrics;
  readonly auth: AdminAuth;
}

/** The metrics of this process, for local monitoring and for the operator. */
export function mountMetrics(router: EndpointRouter, { db, clock, metrics, auth }: MetricsContext): void {
  // One query for all of these; without the database they are left out, and the other metrics are still served.
  let pending: ReturnType<typeof buildFigures> | undefined;
  const figures = () =>
    withTimeout(
      databaseTimeoutMs,
      (pending ??= buildFigures(db, clock.now()).finally(() => (pending = undefined))),
    ).catch(() => null);
  metrics.read('builds', async () => (await figures())?.ended ?? null, 'outcome');
  metrics.read('build_seconds', async () => (await figures())?.seconds ?? null, 'outcome');
  metrics.read('builds_open', async () => (await figures())?.open ?? null, 'state');
  metrics.read('build_last_seconds', async () => only((await figures())?.lastSeconds));
  metrics.read('release_age_seconds', async () => only((await figures())?.releaseAge));

  router.mount('metrics', async ({ ctx }) => {
    if (!isLocalRequest(ctx.req))
      await auth.authorize(passwordInHeader(ctx.get(adminPasswordHeader)), clientAddress(ctx));
    const text = await metrics.text();
    ctx.set('content-type', metrics.contentType);
    return text;
  });
}

const only = (figure: number | null | undefined) => (figure === null || figure === undefined ? null : { figure });

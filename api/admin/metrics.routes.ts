import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { Metrics } from '#platform/metrics.ts';
import { clientAddress } from '#platform/middleware.ts';
import { isLocalRequest } from '#platform/trusted-proxies.ts';
import { withTimeout } from '#platform/clock.ts';
import { passwordInHeader } from './admin-gate.service.ts';
import type { AdminGate } from './admin-gate.service.ts';
import { buildFigures } from './operation.service.ts';

/** Milliseconds to wait for the database. */
const databaseTimeoutMs = 2_000;

interface MetricsContext {
  readonly db: Database;
  readonly clock: { now(): number };
  readonly metrics: Metrics;
  readonly gate: AdminGate;
}

/** The figures of this process: for programs on its own machine that ask it directly, and for the operator. */
export function mountMetrics(router: EndpointRouter, { db, clock, metrics, gate }: MetricsContext): void {
  // One look at the database for all figures; while it is away, they are missing and the others are told.
  let look: ReturnType<typeof buildFigures> | undefined;
  const figures = () =>
    withTimeout(databaseTimeoutMs, (look ??= buildFigures(db, clock.now()).finally(() => (look = undefined)))).catch(
      () => null,
    );
  metrics.read('builds', async () => (await figures())?.ended ?? null, 'outcome');
  metrics.read('build_seconds', async () => (await figures())?.seconds ?? null, 'outcome');
  metrics.read('builds_open', async () => (await figures())?.open ?? null, 'state');
  metrics.read('build_last_seconds', async () => only((await figures())?.lastSeconds));
  metrics.read('release_age_seconds', async () => only((await figures())?.releaseAge));

  router.mount('metrics', async ({ ctx }) => {
    if (!isLocalRequest(ctx.req)) await gate.demand(passwordInHeader(ctx.get(adminPasswordHeader)), clientAddress(ctx));
    const text = await metrics.text();
    ctx.set('content-type', metrics.contentType);
    return text;
  });
}

const only = (figure: number | null | undefined) => (figure === null || figure === undefined ? null : { figure });

import type { Health } from './health.contract.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { withTimeout } from '#platform/clock.ts';
import { publishedAt } from './health.service.ts';
import type { WriteCheck } from './health.service.ts';

/** Milliseconds that a health check waits for the database. */
const healthTimeoutMs = 2_000;

interface HealthContext {
  readonly db: Database;
  readonly checkWrite: () => Promise<WriteCheck>;
  readonly isDraining: () => boolean;
}

/** Health for load balancers: 200 when the database responds in time and is writable; otherwise, and while draining, 503. */
export function mountHealth(router: EndpointRouter, { db, checkWrite, isDraining }: HealthContext): void {
  router.mount('health', async ({ ctx }): Promise<Health> => {
    const answer = await check().catch(() => unavailable);
    if (answer.status !== 'ok') ctx.status = 503;
    return answer;
  });

  async function check(): Promise<Health> {
    const published = await withTimeout(healthTimeoutMs, publishedAt(db));
    // Requests in flight are completed; new ones should go to another service.
    if (isDraining()) return { status: 'ending', database: 'ok', disk: null, publishedAt: published };
    const { canWrite, disk } = await withTimeout(healthTimeoutMs, checkWrite()).catch(() => unknown);
    return canWrite
      ? { status: 'ok', database: 'ok', disk, publishedAt: published }
      : { status: 'unavailable', database: 'read-only', disk, publishedAt: published };
  }
}

const unknown = { canWrite: false, disk: null } as const;
const unavailable: Health = { status: 'unavailable', database: 'unavailable', disk: null, publishedAt: null };

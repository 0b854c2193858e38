import type { Health } from '#contract/health.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { within } from '#platform/within.ts';
import { currentRelease } from './health.queries.ts';
import type { WriteCheck } from './write-check.service.ts';

interface HealthContext {
  readonly db: Database;
  readonly checkWrite: () => Promise<WriteCheck>;
  readonly isEnding: () => boolean;
}

/** Liveness for load balancers: 200 when the database answers soon and can be written, else 503; 503 also while the service ends. */
export function mountHealth(router: EndpointRouter, { db, checkWrite, isEnding }: HealthContext): void {
  router.mount('health', async ({ ctx }): Promise<Health> => {
    const answer = await lookUp().catch(() => unavailable);
    if (answer.status !== 'ok') ctx.status = 503;
    return answer;
  });

  async function lookUp(): Promise<Health> {
    const release = await within(serverLimits.healthMs, currentRelease(db));
    // What has arrived is still written; whoever balances the load shall ask another service.
    if (isEnding()) return { status: 'ending', database: 'ok', disk: null, release };
    const { canWrite, disk } = await within(serverLimits.healthMs, checkWrite()).catch(() => couldNotTell);
    return canWrite
      ? { status: 'ok', database: 'ok', disk, release }
      : { status: 'unavailable', database: 'read-only', disk, release };
  }
}

const couldNotTell = { canWrite: false, disk: null } as const;
const unavailable: Health = { status: 'unavailable', database: 'unavailable', disk: null, release: null };

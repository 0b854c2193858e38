import type { Database } from '#platform/database.ts';
import { countJobs, lastBuildMs, publishedAt } from './figures.queries.ts';

/** Builds in figures, for whoever watches over the installation. */
export interface BuildFigures {
  /** Builds that have ended, and the seconds that they took, by outcome. */
  readonly ended: { readonly succeeded: number; readonly failed: number };
  readonly seconds: { readonly succeeded: number; readonly failed: number };
  readonly open: { readonly queued: number; readonly running: number };
  readonly lastSeconds: number | null;
  /** Seconds since the release that is served was published. */
  readonly releaseAge: number | null;
}

/** The builds of all processes on this database. */
export async function buildFigures(db: Database, now: number): Promise<BuildFigures> {
  const jobs = await countJobs(db);
  const count = (status: string) => jobs.get(status)?.count ?? 0;
  const seconds = (status: string) => (jobs.get(status)?.ms ?? 0) / 1_000;
  const [last, published] = [await lastBuildMs(db), await publishedAt(db)];
  return {
    ended: { succeeded: count('succeeded'), failed: count('failed') },
    seconds: { succeeded: seconds('succeeded'), failed: seconds('failed') },
    open: { queued: count('queued'), running: count('running') },
    lastSeconds: last === null ? null : last / 1_000,
    releaseAge: published === null ? null : (now - published) / 1_000,
  };
}

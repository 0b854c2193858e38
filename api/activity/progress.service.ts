import { noProgress } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import type { UserExport } from '#contract/profile.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { readProgress } from './counting.service.ts';
import { allFacts } from './facts.queries.ts';
import { findProgress } from './progress.queries.ts';

/** A member's figures as far as they are counted; those of somebody about whom nothing is known are all zero. */
export async function progressFor(db: Database, userId: string): Promise<Progress> {
  const stored = await findProgress(db, userId);
  // Figures of another version are being counted anew in these seconds.
  return (stored && readProgress(stored.figures)) ?? noProgress;
}

/** Everything that badges of a member are counted from, oldest first, and what it came to. */
export async function knownAbout(db: Database, userId: string): Promise<Pick<UserExport, 'facts' | 'progress'>> {
  const stored = await findProgress(db, userId);
  const facts = await allFacts(db, userId);
  return {
    facts: facts.map(({ fact, at, details }) => ({
      fact,
      createdAt: iso(at),
      details: JSON.parse(details) as UserExport['facts'][number]['details'],
    })),
    progress: stored ? (JSON.parse(stored.figures) as UserExport['progress']) : null,
  };
}

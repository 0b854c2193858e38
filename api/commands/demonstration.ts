import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { startTexts } from '#texts/start.ts';

/** Loads the demonstration polls when the settings allow it and there is nothing in the database yet. */
export async function loadDemonstrationIfEmpty(db: Database, config: Pick<Config, 'demoData'>): Promise<void> {
  if (!config.demoData || (await db('ballots').first('id')) !== undefined) return;
  console.log(startTexts.demonstration);
  // Loaded only now: a start that finds polls need not read the importer.
  const { loadDemonstration } = await import('#api/admin/demonstration.service.ts');
  await loadDemonstration(db, systemClock);
}

import { readFileSync } from 'node:fs';
import type { Actor, SiteEvent } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { buildFiles } from '#domain/build-files.ts';
import { ConfigError } from '#platform/config.ts';
import type { Clock } from '#platform/clock.ts';
import { appliedMigrations } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { earlierBuilds, inBuilds, servedBuild } from './builds.ts';
import { pauseRow } from './changes.service.ts';
import { readCodeBuild } from './code-build.ts';
import type { CodeBuild } from './code-build.ts';
import { isMissing } from './disk.ts';

/** The rows of `installation` that say which pages belong to this database, and which build an operator went back to. */
const fillRow = { name: 'publishing.fill' };
const chosenRow = { name: 'publishing.build' };

/** A build that an operator went back to, as long as the code has the other id. */
interface Chosen {
  readonly build: string;
  readonly insteadOf: string;
}

const valueOf = async (db: Database, row: { readonly name: string }): Promise<string | null> =>
  (await db('installation').where(row).first('value'))?.value ?? null;

const setValue = async (trx: Database, row: { readonly name: string }, value: string): Promise<void> => {
  await trx('installation')
    .insert({ ...row, value })
    .onConflict('name')
    .merge();
};

/** Since when publishing is paused, in milliseconds; null while it isn’t. A pause holds back everything except removals. */
export async function pausedSince(db: Database): Promise<number | null> {
  const since = await valueOf(db, pauseRow);
  return since === null ? null : Number(since);
}

/** Pauses publishing, or resumes it, which publishes everything since; false if it was so already. */
export async function setPaused(
  db: Database,
  clock: Clock,
  isPaused: boolean,
  actor: Actor = 'terminal',
): Promise<boolean> {
  const at = clock.now();
  return db.transaction(async (trx) => {
    if (isPaused) {
      const added = await trx('installation')
        .insert({ ...pauseRow, value: String(at) })
        .onConflict('name')
        .ignore()
        .returning('name');
      if (added.length === 0) return false;
    } else if ((await trx('installation').where(pauseRow).del()) === 0) return false;
    const event = { at, actor, subject: { kind: 'site', id: '' } };
    if (isPaused) await record(trx, { ...event, type: 'publishing.pause' });
    else await record(trx, { ...event, type: 'publishing.resume', whole: null });
    return true;
  });
}

/** The earlier build that an operator went back to from this code; null if there is none, or none any more. */
export async function chosenBuild(db: Database, dataDir: string, codeId: string): Promise<CodeBuild | null> {
  const value = await valueOf(db, chosenRow);
  const { build, insteadOf } = JSON.parse(value ?? '{}') as Partial<Chosen>;
  return build !== undefined && insteadOf === codeId ? readCodeBuild(inBuilds(dataDir, build)) : null;
}

/** Records the mark of the pages that this database has filled a build with. */
export const recordFill = (trx: Database, fill: string): Promise<void> => setValue(trx, fillRow, fill);

/** Why the whole site has to be published; null if it is only a matter of changes. `codeId` is the id of this code’s build. */
export async function reasonForWholeSite(db: Database, dataDir: string, codeId: string): Promise<string | null> {
  const served = servedBuild(dataDir);
  if (served === null) return publishingTexts.reasons.noPages;
  if (served !== ((await chosenBuild(db, dataDir, codeId))?.id ?? codeId)) return publishingTexts.reasons.sourceChanged;
  return (await valueOf(db, fillRow)) === fillOf(dataDir, served) ? null : publishingTexts.reasons.otherDatabase;
}

function fillOf(dataDir: string, build: string): string | undefined {
  try {
    return readFileSync(inBuilds(dataDir, build, buildFiles.fill), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Goes back to an earlier build, or on to the one of this code, with the next publish: its pages are rendered from today’s data
 * before it is served. Throws a {@link ConfigError} if there is no such build, or if it can’t read the database.
 */
export async function useBuild(
  { db, clock, dataDir, codeId }: { db: Database; clock: Clock; dataDir: string; codeId: string },
  id: string,
): Promise<void> {
  const wanted = (await chosenBuild(db, dataDir, codeId))?.id ?? codeId;
  const isServed = id === servedBuild(dataDir);
  // Otherwise another one was chosen, whose pages perhaps can’t be rendered.
  if (isServed && id === wanted) throw new ConfigError(publishingTexts.usedAlready(id));
  const earlier = earlierBuilds(dataDir).map((one) => one.id);
  const code = isServed || earlier.includes(id) ? await readCodeBuild(inBuilds(dataDir, id)) : null;
  if (code === null) throw new ConfigError(publishingTexts.noSuchBuild(id, earlier));
  const applied = (await appliedMigrations(db)).toSorted().at(-1) ?? '';
  if (applied > code.schema) throw new ConfigError(publishingTexts.newerSchema(id, applied, code.schema));
  await db.transaction(async (trx) => {
    const at = clock.now();
    const chosen: Chosen = { build: id, insteadOf: codeId };
    if (id === codeId) await trx('installation').where(chosenRow).del();
    else await setValue(trx, chosenRow, JSON.stringify(chosen));
    await record(trx, {
      ...{ at, actor: 'terminal', type: 'publishing.use', subject: { kind: 'site', id: '' } },
      ...{ after: { build: id }, whole: publishingTexts.reasons.use(id) },
    });
  });
}

/** An operator has every page rendered again, for the reason `whole`, or with null those of texts. */
export async function publishAgain(trx: Database, again: Pick<SiteEvent, 'at' | 'actor' | 'whole'>): Promise<void> {
  const after = { force: again.whole !== null };
  await record(trx, { type: 'site.publish', subject: { kind: 'site', id: '' }, after, ...again });
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { releaseFiles } from '#contract/publishing.ts';
import type { ReleasedFile } from '#contract/publishing.ts';
import { pollPictureFile, reportFile } from '#contract/snapshot.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { publishPollMs } from './publishing.service.ts';
import { compressed, digestOf, filesBelow, linkOrCopy } from './compress.ts';
import { explained } from './explained.ts';
import { beat, beginTakedown, endDeadTakedown, endTakedown } from './jobs.queries.ts';
import {
  currentReleaseId,
  listReleases,
  readFacts,
  readManifest,
  readReportDigests,
  releaseFolder,
  totalsOf,
  writeFacts,
  writeManifest,
} from './releases.ts';
import { newRunner } from './runner.ts';
import { deleteTakedowns, hasTakedowns, insertTakedowns, missingPolls, takedownIds } from './takedowns.queries.ts';
import { listsPolls, pollsListed, withoutPolls } from './taken-down.ts';

/**
 * Takes removed polls out of every release that is kept: their pages and pictures go, and lists, feeds and related polls lose them.
 * Web servers see it at once, the site service within a second. It takes the place of a build while it works, so that no
 * build takes over pages that are just being changed. Answers false, and does nothing, while a build runs. What broke off
 * half-way is done again from its beginning; a release that cannot be changed does not keep the others from it.
 */
export async function applyTakedowns(options: {
  readonly db: Database;
  readonly clock: Clock;
  readonly dataDir: string;
}): Promise<boolean> {
  const { db, clock, dataDir } = options;
  if (!(await hasTakedowns(db))) return true;
  await endDeadTakedown(db, clock.now());
  const runner = newRunner();
  const id = await beginTakedown(db, clock.now(), runner);
  if (id === null) return false;
  const confirm = async () => {
    if (!(await beat(db, { id, runner }, clock.now(), {}))) throw new Error(publishingTexts.jobLost);
  };
  const timer = setInterval(() => void confirm().catch(() => undefined), publishPollMs);
  const scratch = join(dataDir, 'cache', 'takedown');
  try {
    const ids = await takedownIds(db);
    const current = await currentReleaseId(dataDir);
    // The one that is served is among them even if its facts are damaged.
    const releases = new Set((await listReleases(dataDir)).map((release) => release.id));
    if (current !== null) releases.add(current);
    const edits = new Map<string, Edit>();
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { recursive: true });
    const failures: unknown[] = [];
    // The one that is served comes last: where a file of it is missing for a moment, an older release answers.
    for (const release of [...releases].sort((a, b) => Number(a === current) - Number(b === current)))
      await takeOut({ dataDir, id: release, polls: new Set(ids), edits, scratch, confirm }).catch((error: unknown) =>
        failures.push(error),
      );
    if (failures.length > 0) throw failures[0];
    await deleteTakedowns(db, ids);
    return true;
  } catch (error) {
    throw explained(error, dataDir);
  } finally {
    clearInterval(timer);
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
    await endTakedown(db, { id, runner });
  }
}

/**
 * Requests takedowns of polls that a release shows and the database does not have: they were removed before takedowns
 * were recorded, or by a process that does not record them.
 */
export async function requestMissingTakedowns(
  { db, clock, dataDir }: { readonly db: Database; readonly clock: Clock; readonly dataDir: string },
  releaseId: string,
): Promise<void> {
  const client = join(releaseFolder(dataDir, releaseId), releaseFiles.client);
  const shown = new Set<string>();
  for (const path of servedFiles(client)) {
    const own = pageOrPicture.exec(path)?.[1];
    const ids =
      own === undefined && listsPolls(path) ? pollsListed(path, await readFile(join(client, path), 'utf8')) : [];
    for (const id of own === undefined ? ids : [own]) shown.add(id);
  }
  await insertTakedowns(db, await missingPolls(db, [...shown]), clock.now());
}

const pageOrPicture = /^poll\/([\w-]+)\.(?:html|png)$/;

/** Web servers serve what is in the folder, whatever the manifest says. */
const servedFiles = (client: string) => (existsSync(client) ? filesBelow(client, '') : []);

/** What becomes of a file's content: the new file and its place; null when it shows none of the polls. */
type Edit = { readonly file: ReleasedFile; readonly place: string } | null;

async function takeOut(options: {
  readonly dataDir: string;
  readonly id: string;
  readonly polls: ReadonlySet<string>;
  /** Most files are the same in several releases; each content is looked at once. */
  readonly edits: Map<string, Edit>;
  readonly scratch: string;
  readonly confirm: () => Promise<void>;
}): Promise<void> {
  const { dataDir, id, polls, edits, scratch, confirm } = options;
  const manifest = await readManifest(dataDir, id);
  // Of a damaged release only the files are changed: a new manifest would hide the damage.
  const facts = manifest === null ? null : await readFacts(dataDir, id);
  const client = join(releaseFolder(dataDir, id), releaseFiles.client);
  const removed = new Set([...polls].flatMap((poll) => [reportFile(poll), pollPictureFile(poll)]));
  const files = Object.fromEntries(Object.entries(manifest?.files ?? {}).filter(([path]) => !removed.has(path)));
  const reports = new Map(await readReportDigests(dataDir, id));
  for (const path of removed)
    for (const ending of ['', '.br', '.gz']) await rm(join(client, `${path}${ending}`), { force: true });
  for (const poll of polls) reports.delete(poll);

  const changed = new Map<string, NonNullable<Edit>>();
  for (const path of servedFiles(client).filter(listsPolls)) {
    const content = await readFile(join(client, path));
    const digest = digestOf(content);
    const key = `${path} ${digest}`;
    if (!edits.has(key)) edits.set(key, await edit(path, content, polls, join(scratch, String(edits.size))));
    const edited = edits.get(key) ?? null;
    if (edited === null) continue;
    // The manifest of a takedown that broke off has the new file already; any other difference is damage, which stays known.
    if (digest === files[path]?.hash || edited.file.hash === files[path]?.hash) files[path] = edited.file;
    changed.set(path, edited);
    // A build must not take a changed page over as the one that it would make.
    reports.delete(basename(path, '.html'));
  }

  const totals = totalsOf(files);
  const isSame = facts === null || (totals.pages === facts.pages && totals.bytes === facts.bytes);
  if (changed.size === 0 && isSame) return;
  await confirm();
  if (facts !== null) await writeManifest(dataDir, id, { files }, reports);
  for (const [path, { file, place }] of changed)
    // The plain file comes last: as long as it shows a poll, all three are made again after a crash.
    for (const [ending, size] of encodings(file))
      await replace(size === null ? null : `${place}${ending}`, join(client, `${path}${ending}`));
  // Last, because the site service reads the release again when its facts are new.
  if (facts !== null) await writeFacts(dataDir, { ...facts, ...totals }, { files }, reports);
}

async function edit(path: string, content: Buffer, polls: ReadonlySet<string>, place: string): Promise<Edit> {
  const text = content.toString('utf8');
  const left = withoutPolls(path, text, polls);
  if (left === text) return null;
  const { file, copies } = await compressed(path, Buffer.from(left));
  for (const [ending, copy] of Object.entries(copies)) if (copy !== null) await writeFile(`${place}${ending}`, copy);
  return { file, place };
}

const encodings = ({ br, gz, size }: ReleasedFile) =>
  [
    ['.br', br],
    ['.gz', gz],
    ['', size],
  ] as const;

/** Puts another file in a place in one step; the one there may be linked to by other releases and is not written to. */
async function replace(from: string | null, place: string): Promise<void> {
  if (from === null) return rm(place, { force: true });
  const draft = `${place}.draft`;
  await rm(draft, { force: true });
  linkOrCopy(from, draft);
  await rename(draft, place);
}

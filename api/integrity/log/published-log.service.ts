import { entryBundle } from '#domain/verification/site-log.ts';
import { hashBytes } from '#domain/verification/merkle.ts';
import { textOf } from '#domain/verification/note.ts';
import { entriesPath, tilePath, tileWidth } from '#domain/verification/tiles.ts';
import type { Clock } from '#platform/clock.ts';
import type { Witness } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { cosignedCheckpoints } from './cosign.service.ts';
import { verifierKeysSince } from './site-log.service.ts';
import { tilesOf } from './tiles.queries.ts';
import { entryTexts, newestNote, partsOf, siteLog, siteLogOf } from './vote-log.queries.ts';
import type { LogRow } from './vote-log.queries.ts';

/** A file of the published log; `isFinal`: its content never changes. */
interface PublishedFile {
  readonly type: string;
  readonly body: Buffer | string;
  readonly isFinal: boolean;
}

const text = 'text/plain; charset=utf-8';

/** What is published at a path below `/integrity/`; null if there is no such file. */
export async function publishedLogFile(
  { db, clock, witnesses }: { readonly db: Database; readonly clock: Clock; readonly witnesses: readonly Witness[] },
  path: string,
): Promise<PublishedFile | null> {
  const newest = await siteLog(db);
  if (newest === undefined) return null;
  if (path === 'key') {
    const keys = await verifierKeysSince(db, newest.origin, clock.now());
    return { type: text, body: `${keys.join('\n')}\n`, isFinal: false };
  }
  const [, generation, file] =
    /^log\/(?:([2-9]|[1-9]\d{1,5})\/)?(checkpoint|tile\/[\dx/.p]+|tile\/entries\/[\dx/.p]+)$/.exec(path) ?? [];
  if (file === undefined) return null;
  const { base } = partsOf(newest.origin);
  const site = await siteLogOf(db, `${base}/log${generation === undefined ? '' : `/${generation}`}`);
  if (site === undefined) return null;
  if (file === 'checkpoint') return { type: text, body: await cosignedNote(db, site, witnesses), isFinal: false };
  const body = await tileOrEntries(db, site, file);
  return body && { type: 'application/octet-stream', body, isFinal: true };
}

/** The newest checkpoint, with the lines of the witnesses that have cosigned it. */
async function cosignedNote(db: Database, site: LogRow, witnesses: readonly Witness[]): Promise<string> {
  const note = await newestNote(db, site);
  const cosigned = (await cosignedCheckpoints(db, site, witnesses)).find((one) => textOf(one.note) === textOf(note));
  return note + (cosigned?.note.slice(textOf(note).length + 1) ?? '');
}

/** The bytes of a tile, or of the entries of one, as far as the newest checkpoint includes them. */
async function tileOrEntries(db: Database, site: LogRow, file: string): Promise<Buffer | null> {
  const [, level, number, part] =
    /^tile\/(entries|\d|[1-5]\d)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(file) ?? [];
  if (level === undefined || number === undefined) return null;
  const index = Number(number.replace(/[x/]/g, ''));
  const width = part === undefined ? tileWidth : Number(part);
  const [isEntries, atLevel] = level === 'entries' ? [true, 0] : [false, Number(level)];
  // One spelling only: caches would keep every other one, too.
  const canonical = isEntries ? entriesPath({ index, width }) : tilePath({ level: atLevel, index, width });
  const available = Math.floor(site.size / tileWidth ** atLevel) - index * tileWidth;
  if (file !== canonical || width > available) return null;
  if (isEntries) {
    const from = index * tileWidth;
    return Buffer.from(entryBundle(await entryTexts(db, site.key, from, from + width)));
  }
  const tile = await tilesOf(db, site.key)(atLevel, index);
  return Buffer.from(tile.subarray(0, width * hashBytes));
}

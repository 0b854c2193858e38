import { hashBytes } from '#domain/verification/merkle.ts';
import { tileWidth } from '#domain/verification/tiles.ts';
import type { Tile, TileReader } from '#domain/verification/tiles.ts';
import type { Database } from '#platform/database.ts';
import type { LogRow } from './vote-log.queries.ts';

/** Reads the tiles of a log, each once. Hashes beyond `size` are of a checkpoint that was never committed. */
export function tilesOf(db: Database, logKey: number): TileReader {
  const known = new Map<string, Promise<Uint8Array>>();
  const read = async (level: number, tile: number): Promise<Uint8Array> => {
    const row = await db('vote_log_tiles').where({ log_key: logKey, level, tile }).first('hashes');
    return row?.hashes ?? new Uint8Array();
  };
  return (level, tile) => {
    const name = `${level}/${tile}`;
    const tiles = known.get(name) ?? read(level, tile);
    known.set(name, tiles);
    return tiles;
  };
}

/** The leaves of some tiles of a log, in order. Throws if there are none from this one on. */
export async function leafTiles(db: Database, logKey: number, from: number, most: number): Promise<Uint8Array[]> {
  const tiles = await db('vote_log_tiles')
    .where({ log_key: logKey, level: 0 })
    .where('tile', '>=', from)
    .where('tile', '<', from + most)
    .orderBy('tile')
    .pluck('hashes');
  if (tiles.length === 0) throw new Error(`Log ${logKey} has no tile ${from}.`);
  return tiles;
}

/** The tiles of a tree of this size that are not full. */
export async function incompleteTiles(read: TileReader, size: number): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / tileWidth)) {
    const [index, width] = [Math.floor(count / tileWidth), count % tileWidth];
    if (width === 0) continue;
    const bytes = (await read(level, index)).subarray(0, width * hashBytes);
    tiles.push({ level, index, width, bytes });
  }
  return tiles;
}

/** Rows per statement: databases limit its parameters. */
const rowsAtOnce = 100;

export async function putTiles(trx: Database, logKey: number, tiles: readonly Tile[]): Promise<void> {
  for (let from = 0; from < tiles.length; from += rowsAtOnce)
    await trx('vote_log_tiles')
      .insert(
        tiles.slice(from, from + rowsAtOnce).map(({ level, index, bytes }) => ({
          ...{ log_key: logKey, level, tile: index },
          hashes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        })),
      )
      .onConflict(['log_key', 'level', 'tile'])
      .merge(['hashes']);
}

/** Queues leaves, and updates their log’s counters; `lastId` is that of the last vote. */
export async function addWaiting(
  trx: Database,
  log: Pick<LogRow, 'key'>,
  { leaves, firstId, lastId }: { readonly leaves: Buffer; readonly firstId: number; readonly lastId: number },
): Promise<void> {
  await trx('vote_log_waiting').insert({ log_key: log.key, first_id: firstId, hashes: leaves });
  await trx('vote_logs')
    .where({ key: log.key })
    .update({
      waiting: trx.raw('waiting + ?', [leaves.length / hashBytes]),
      first_id: trx.raw('coalesce(first_id, ?)', [firstId]),
      last_id: lastId,
      // A poll that was reopened.
      closed_at: null,
    });
}

/** The oldest `most` waiting leaves, 32 bytes each, and what remains to be stored once they are published. */
export async function oldestWaiting(
  db: Database,
  logKey: number,
  most: number,
): Promise<{ leaves: Buffer; rest: { throughId: number; hashes: Buffer | null } }> {
  const chunks: Buffer[] = [];
  let [missing, throughId]: [number, number] = [most * hashBytes, -1];
  let hashes: Buffer | null = null;
  while (missing > 0) {
    const rows = await db('vote_log_waiting')
      .where({ log_key: logKey })
      .where('first_id', '>', throughId)
      .orderBy('first_id')
      .limit(rowsAtOnce)
      .select('first_id', 'hashes');
    if (rows.length === 0) throw new Error(`Log ${logKey} has fewer waiting leaves than it counts.`);
    for (const row of rows) {
      if (missing === 0) break;
      const taken = row.hashes.subarray(0, missing);
      chunks.push(taken);
      missing -= taken.length;
      throughId = row.first_id;
      hashes = taken.length < row.hashes.length ? row.hashes.subarray(taken.length) : null;
    }
  }
  return { leaves: Buffer.concat(chunks), rest: { throughId, hashes } };
}

/** Removes published leaves from the queue. */
export async function removeWaiting(
  trx: Database,
  logKey: number,
  { throughId, hashes }: { readonly throughId: number; readonly hashes: Buffer | null },
): Promise<void> {
  const rows = trx('vote_log_waiting').where({ log_key: logKey });
  await rows
    .clone()
    .where('first_id', hashes === null ? '<=' : '<', throughId)
    .del();
  if (hashes !== null) await rows.clone().where({ first_id: throughId }).update({ hashes });
}

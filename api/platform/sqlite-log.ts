import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** Bytes of the head of a write-ahead log, and of the head of each page in it (see sqlite.org/fileformat2.html). */
const logHead = 32;
const frameHead = 24;
const magics: ReadonlyMap<number, boolean> = new Map([
  [0x377f0682, true],
  [0x377f0683, false],
]);

/** Frames that are read at once. */
const framesAtOnce = 256;

/**
 * The byte at which a write-ahead log is damaged although what follows was committed; null where it is not. SQLite would
 * take the place for the log's end and overwrite the rest: votes that were acknowledged. A log that a power cut left
 * unfinished is no damage; one that is being written may look damaged, at another byte each time.
 */
export async function logDamage(file: string): Promise<number | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    return await damagedAt(handle);
  } finally {
    await handle.close();
  }
}

/** As {@link logDamage}, over an open file. A log that was begun anew while it was read is read again. */
export async function damagedAt(handle: Pick<FileHandle, 'stat' | 'read'>): Promise<number | null> {
  // What another process adds meanwhile is not read: this one may be slower than that one writes.
  const { size } = await handle.stat();
  if (size === logHead) return null;
  const head = await bytesAt(handle, 0, logHead);
  if (head.length < logHead) return null;
  const little = magics.get(head.readUInt32BE(0));
  let sum: Sum = [0, 0];
  if (little === undefined || !isSum(head, 24, (sum = summed(head, 0, 24, sum, little)))) return 0;
  const frame = frameHead + head.readUInt32BE(8);
  let damaged: number | null = null;
  // The last transaction may be there in part, its end included. Two ends mean that the first of them had been synced.
  let ends = 0;
  for (let from = logHead; ;) {
    const frames = await bytesAt(handle, from, Math.min(framesAtOnce * frame, size - from));
    const count = Math.floor(frames.length / frame);
    if (count === 0) return null;
    for (let at = 0; at < count * frame; at += frame) {
      // Frames with another salt are left from before the log was begun anew.
      const isOurs = frames.compare(head, 16, 24, at + 8, at + 16) === 0;
      if (damaged === null) {
        sum = summed(frames, at + frameHead, at + frame, summed(frames, at, at + 8, sum, little), little);
        if (isOurs && isSum(frames, at + 16, sum)) continue;
        damaged = from + at;
      }
      if (isOurs && frames.readUInt32BE(at + 4) !== 0) ends += 1;
      if (ends < 2) continue;
      const isSameLog = head.equals(await bytesAt(handle, 0, logHead));
      return isSameLog ? damaged : damagedAt(handle);
    }
    from += count * frame;
  }
}

async function bytesAt(handle: Pick<FileHandle, 'read'>, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

type Sum = readonly [number, number];

/** SQLite's checksum over pairs of 32-bit words. */
function summed(log: Buffer, from: number, to: number, [first, second]: Sum, little: boolean): Sum {
  for (let at = from; at < to; at += 8) {
    first = (first + (little ? log.readUInt32LE(at) : log.readUInt32BE(at)) + second) >>> 0;
    second = (second + (little ? log.readUInt32LE(at + 4) : log.readUInt32BE(at + 4)) + first) >>> 0;
  }
  return [first, second];
}

function isSum(log: Buffer, at: number, [first, second]: Sum): boolean {
  return log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;
}

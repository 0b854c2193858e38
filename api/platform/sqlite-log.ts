import { readFile } from 'node:fs/promises';

/** Bytes of the head of a write-ahead log, and of the head of each page in it (see sqlite.org/fileformat2.html). */
const logHead = 32;
const frameHead = 24;
const magics: ReadonlyMap<number, boolean> = new Map([
  [0x377f0682, true],
  [0x377f0683, false],
]);

/**
 * Whether a write-ahead log is damaged where what stands behind it was committed. SQLite would take the place for the log's
 * end and overwrite the rest: votes that were acknowledged. A log that a power cut left unfinished is no damage;
 * one that is written to in this moment may look like it.
 */
export async function logDamage(file: string): Promise<boolean> {
  return isDamaged(await readFile(file).catch(() => Buffer.alloc(0)));
}

function isDamaged(log: Buffer): boolean {
  if (log.length <= logHead) return false;
  const little = magics.get(log.readUInt32BE(0));
  let sum: Sum = [0, 0];
  if (little === undefined || !isSum(log, 24, (sum = summed(log, 0, 24, sum, little)))) return true;
  const frame = frameHead + log.readUInt32BE(8);
  const isOurs = (at: number) =>
    log.readUInt32BE(at + 8) === log.readUInt32BE(16) && log.readUInt32BE(at + 12) === log.readUInt32BE(20);
  const frames = Math.floor((log.length - logHead) / frame);
  let n = 0;
  for (; n < frames; n++) {
    const at = logHead + n * frame;
    const next = summed(log, at + frameHead, at + frame, summed(log, at, at + 8, sum, little), little);
    if (!isOurs(at) || !isSum(log, at + 16, next)) break;
    sum = next;
  }
  // The last transaction may be there in part, its end included. Two ends mean that the first of them had been synced.
  let ends = 0;
  for (n += 1; n < frames; n++) {
    const at = logHead + n * frame;
    if (isOurs(at) && log.readUInt32BE(at + 4) !== 0) ends += 1;
  }
  return ends >= 2;
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

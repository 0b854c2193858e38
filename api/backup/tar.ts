import type { Readable } from 'node:stream';

/**
 * As much of the tar format (POSIX ustar) as backups need: plain files, one after the other. It is written here because
 * a backup must open with tools that every machine has.
 */

const block = 512;
/** The largest size that fits the field's eleven octal digits. */
const octalSizes = 8 ** 11;

/** What stands before a file's bytes. */
export function tarHeader(name: string, bytes: number, modifiedAt: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`“${name}” is too long for an archive.`);
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (bytes < octalSizes) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(bytes), 128);
  }
  header.write(
    `${Math.floor(modifiedAt / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('0ustar\x0000', 156);
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** What stands after a file's bytes. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((block - (bytes % block)) % block);
}

/** What ends an archive. */
export const tarEnd = Buffer.alloc(2 * block);

/** A file of an archive; its bytes must be read before the next one's. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Something that is not, or no longer, an archive. */
export class TarDamaged extends Error {
  override readonly name = 'TarDamaged';
  /** Whether the archive was cut off. */
  readonly early: boolean;
  constructor(early: boolean) {
    super(early ? 'the archive is truncated' : 'this is not an archive');
    this.early = early;
  }
}

/** The files of an archive in their order. Throws {@link TarDamaged}. */
export async function* tarEntries(archive: Readable): AsyncGenerator<TarEntry> {
  const bytes = new Bytes(archive);
  for (;;) {
    const header = await bytes.take(block);
    if (header.every((byte) => byte === 0)) {
      // To the end: what checks the compressed bytes speaks up there.
      for await (const rest of bytes.upTo(Infinity)) if (rest.some((byte) => byte !== 0)) throw new TarDamaged(false);
      return;
    }
    if (Number.parseInt(text(header, 148, 8), 8) !== checksum(header)) throw new TarDamaged(false);
    const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(header, 124, 12), 8);
    yield { name: text(header, 0, 100), size, content: bytes.upTo(size) };
    await bytes.take(tarPadding(size).length);
  }
}

function checksum(header: Buffer): number {
  return header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 0x20 : byte), 0);
}

function text(header: Buffer, from: number, length: number): string {
  const [value = ''] = header.toString('utf8', from, from + length).split('\0');
  return value.trim();
}

/** A stream that is read in pieces of wanted lengths. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.#chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.upTo(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The next bytes as they come; `Infinity` for all that are left. */
  async *upTo(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) {
          if (left === Infinity) return;
          throw new TarDamaged(true);
        }
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}

import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';

/** Bytes that are read at once. */
const piece = 64 * 1024;

/** The bytes of an upload on disk, without a name: they are gone with `close`, and with the process. */
export class UploadedFile {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async create(folder: string): Promise<UploadedFile> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `upload-${randomUUID()}.tmp`);
    const handle = await open(path, 'wx+', 0o600);
    // (Where a file in use keeps its name, close takes it away.)
    await rm(path, { force: true }).catch(() => undefined);
    return new UploadedFile(handle, path);
  }

  // Streams of the handle's own would keep it open until they have closed it; these come and go.
  /** Takes the bytes, once. */
  write(): Writable {
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        this.#handle.appendFile(chunk).then(() => done(), done);
      },
    });
  }

  /** Gives the bytes from the start. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(piece), 0, piece, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

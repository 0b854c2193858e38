import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { importPolls } from '#api/poll-import/poll-import.service.ts';
import { isFileRefused } from '#contract/poll-import.ts';
import type { ImportMode, ImportResult } from '#contract/poll-import.ts';
import { errors } from '#platform/errors.ts';
import type { OperationContext } from './operation.service.ts';

/** The folder for uploads while they are received and read. */
export const uploadsFolder = (dataDir: string) => join(dataDir, 'uploads');

/** Imports an uploaded file; throws the whole result when the file is refused. */
export async function importUpload(
  { db, clock, config, intake }: OperationContext,
  upload: {
    readonly file: UploadedFile;
    readonly fileName: string;
    readonly mode: ImportMode;
    readonly dryRun: boolean;
  },
): Promise<ImportResult> {
  const { file, fileName, mode, dryRun } = upload;
  const spoolFolder = uploadsFolder(config.dataDir);
  const result = await importPolls({
    db,
    clock,
    source: file.read(),
    fileName,
    mode,
    dryRun,
    spoolFolder,
    origin: 'page',
    runExclusive: (task) => intake.runExclusive(task),
  });
  if (isFileRefused(result)) throw errors.importRefused(result);
  return result;
}

/** Bytes per read. */
const chunkBytes = 64 * 1024;

/** The bytes of an upload in an unlinked file: they are freed on `close` and when the process ends. */
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
    // Where an open file can't be unlinked, `close` deletes it.
    await rm(path, { force: true }).catch(() => undefined);
    return new UploadedFile(handle, path);
  }

  /** Writes the bytes, once. (The handle's own streams would keep it open until they are closed.) */
  write(): Writable {
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        this.#handle.appendFile(chunk).then(() => done(), done);
      },
    });
  }

  /** Reads the bytes from the start. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
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

import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { previewImport } from '#api/polls/import/import-preview.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { rejectedRows } from '#api/polls/import/rejected-rows.service.ts';
import { fetchSpreadsheet } from '#api/polls/import/spreadsheet.service.ts';
import type { ImportPreview, ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import { isFileRefused } from '#domain/file-refusal.ts';
import type { ImportMode, ImportResult } from '#api/polls/import/poll-import.contract.ts';
import { errors } from '#platform/errors.ts';
import type { OperationContext } from './operation.service.ts';

/** The folder for uploads while they are received and read. */
export const uploadsFolder = (dataDir: string) => join(dataDir, 'uploads');

/** A received file, and how to read it. */
export interface Upload {
  readonly file: UploadedFile;
  readonly fileName: string;
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  readonly settings?: ImportSettings;
}

/** Imports an uploaded file; throws the whole result when the file is refused. */
export async function importUpload(
  { db, clock, config, intake, protections }: OperationContext,
  { file, ...options }: Upload,
  actor: string,
): Promise<ImportResult> {
  const result = await importPolls({
    db,
    clock,
    source: file.read(),
    ...options,
    timeZone: config.timeZone,
    protections,
    actor,
    queueFolder: uploadsFolder(config.dataDir),
    origin: 'page',
    runExclusive: (task) => intake.runExclusive(task),
  });
  if (isFileRefused(result)) throw errors.importRefused(result);
  return result;
}

/** How an uploaded file would be read; throws a result when the file is refused. */
export async function previewUpload(
  { db, clock, config: { timeZone }, protections }: OperationContext,
  { file, fileName, settings }: Upload,
): Promise<ImportPreview> {
  const read = () => file.read();
  return previewImport({ db, clock, read, fileName, timeZone, protections, ...(settings && { settings }) });
}

/** The rejected rows of an uploaded file as chunks of CSV, to be read before it is closed; throws like an import. */
export async function rejectedUpload(
  { db, clock, config, protections }: OperationContext,
  { file, fileName, settings }: Upload,
): Promise<AsyncIterable<string>> {
  const read = () => file.read();
  const queueFolder = uploadsFolder(config.dataDir);
  const { timeZone } = config;
  const found = await rejectedRows({
    ...{ db, clock, read, fileName, timeZone, queueFolder, protections },
    ...(settings && { settings }),
  });
  if ('refused' in found) throw errors.importRefused(found.refused);
  return found.chunks;
}

/** Fetches a published spreadsheet into a file, which the caller closes. */
export async function fetchedFile({ config }: OperationContext, address: string): Promise<UploadedFile> {
  const source = await fetchSpreadsheet(address);
  const file = await UploadedFile.create(uploadsFolder(config.dataDir));
  try {
    await pipeline(source, file.write());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
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

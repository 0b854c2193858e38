import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { StatedPoll } from './poll-row.ts';

/** Bytes of checked rows that wait in memory before a transaction begins. */
export const importBatchBytes = 1024 * 1024;
/** Rows written in one transaction. */
export const importBatchRows = 250;

/**
 * Validated polls on disk until the whole file has been checked: an invalid byte at its end refuses all of it, and a
 * file of any size takes little memory.
 */
export class PollQueue {
  readonly #handle: FileHandle;
  readonly #path: string;
  #pending: string[] = [];
  #pendingLength = 0;
  #count = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  static async create(folder = tmpdir()): Promise<PollQueue> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `poll-import-${randomUUID()}.tmp`);
    const handle = await open(path, 'wx+', 0o600);
    // Unlinked immediately: a killed process leaves nothing behind. (If this fails, close does it.)
    await rm(path, { force: true }).catch(() => undefined);
    return new PollQueue(handle, path);
  }

  get count(): number {
    return this.#count;
  }

  async add(poll: StatedPoll): Promise<void> {
    const line = `${JSON.stringify(poll)}\n`;
    this.#count += 1;
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength > 256 * 1024) await this.#flush();
  }

  /** The added polls in batches that fit one transaction. May be iterated several times, after the last `add`. */
  async *batches(): AsyncGenerator<StatedPoll[]> {
    await this.#flush();
    let batch: StatedPoll[] = [];
    let size = 0;
    for await (const line of linesOf(this.#chunks())) {
      batch.push(JSON.parse(line) as StatedPoll);
      size += line.length;
      if (batch.length < importBatchRows && size < importBatchBytes) continue;
      yield batch;
      batch = [];
      size = 0;
    }
    if (batch.length > 0) yield batch;
  }

  // Not a stream: a reader that stops half-way (a lost race) would close the file with it.
  async *#chunks(): AsyncGenerator<string> {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const decoder = new StringDecoder('utf8');
    for (let position = 0; ;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield decoder.write(buffer.subarray(0, bytesRead));
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
    await rm(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    if (text !== '') await this.#handle.appendFile(text);
  }
}

// node:readline would also split at U+2028 and U+2029, which JSON doesn’t escape.
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let tail = '';
  for await (const chunk of chunks) {
    const lines = (tail + chunk).split('\n');
    tail = lines.pop() ?? '';
    yield* lines;
  }
}

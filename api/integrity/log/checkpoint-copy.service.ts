import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '#platform/replace-file.ts';

/** Bytes from which on the file is begun anew with its last line. */
const mostBytes = 1_000_000;

/**
 * The newest checkpoints of the site-wide log outside the database, in DATA_DIR: a line of JSON for each. A database that is
 * behind the last line is an older backup, and must not continue the log.
 */
export class CheckpointCopy {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'integrity', 'checkpoints.jsonl');
  }

  /** The newest note; null if there is none. A line cut off by a power failure is ignored. */
  async newest(): Promise<string | null> {
    for (const line of (await this.#read()).split('\n').reverse()) {
      try {
        const note: unknown = JSON.parse(line);
        if (typeof note === 'string') return note;
      } catch {
        // Not a whole line.
      }
    }
    return null;
  }

  /** Appends a note that was committed; on disk when this resolves. */
  async append(note: string): Promise<void> {
    const line = `${JSON.stringify(note)}\n`;
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    if (Buffer.byteLength(await this.#read()) < mostBytes) {
      // The line break first: the line before may have been cut off.
      await appendFile(this.#path, `\n${line}`, { mode: 0o600, flush: true });
      return;
    }
    await replaceFile(this.#path, line, 0o600);
    const folder = await open(dirname(this.#path));
    await folder.sync().finally(() => folder.close());
  }

  async #read(): Promise<string> {
    return readFile(this.#path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    });
  }
}

import { rename, writeFile } from 'node:fs/promises';

/** Replaces a file as a whole: on disk before it has its name. Creates it, readable as `mode` says. */
export async function replaceFile(path: string, content: string | Buffer, mode?: number): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, content, { mode, flush: true });
  await rename(draft, path);
}

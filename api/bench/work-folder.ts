import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A folder on a real disk: the system's temporary one may be in memory, where durability costs nothing. */
export async function workFolder(): Promise<string> {
  await mkdir('var', { recursive: true });
  return resolve(await mkdtemp(join('var', 'bench-')));
}

import { access, constants, mkdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { publishingTexts } from '#texts/publishing.ts';

/**
 * Makes the folder into which Astro writes what it generates: `.astro` in the project, wherever Astro's cache is. Where
 * the project may not be written to, `.astro` is a link, and the folder that it names is made (decision 115).
 */
export async function makeGeneratedFolder(project: string): Promise<void> {
  const place = join(project, '.astro');
  const target = await readlink(place).catch(() => null);
  const folder = target === null ? place : resolve(project, target);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new Error(publishingTexts.generatedFolderRefused(folder, (error as NodeJS.ErrnoException).code ?? ''));
  }
}

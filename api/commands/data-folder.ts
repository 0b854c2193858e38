import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigError } from '#platform/config.ts';
import { startTexts } from '#texts/start.ts';

/** Makes the data folder if need be; throws a sentence when nothing can be written there. */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new ConfigError(startTexts.dataDirRefused(folder, (error as NodeJS.ErrnoException).code ?? ''));
  }
}

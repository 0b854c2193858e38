import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './compress.ts';

/**
 * Digest of the code that renders on demand. The release's own folder is baked into it, and by that into the hashes
 * in the names of its chunks; both say nothing about what the code does.
 */
export function digestOfServer(folder: string, id: string): string {
  const plain = (text: string) => text.replaceAll(id, '').replace(/_[\w-]{8}\.mjs/g, '.mjs');
  const files = (existsSync(folder) ? filesBelow(folder, '') : []).map(
    (path) => `\0${plain(path)}\0${plain(readFileSync(join(folder, path), 'utf8'))}`,
  );
  return createHash('sha256').update(files.sort().join('')).digest('base64url').slice(0, 27);
}

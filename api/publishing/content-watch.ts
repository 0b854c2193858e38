import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './source-digest.ts';

/** What an operator edits while the site runs. Code is left out: it is taken up by a start. */
const contentFolders = ['content/blog', 'content/legal', 'content/pages', 'content/texts'];

/** Names, sizes and moments of all content files; some hundred looks at a folder, about a millisecond. */
export function contentStamp(root = projectFolder): string {
  return contentFolders
    .flatMap((folder) => {
      const names = readNames(join(root, folder));
      return names.map((name) => {
        const facts = statSync(join(root, folder, name), { throwIfNoEntry: false });
        return `${folder}/${name} ${facts?.size} ${facts?.mtimeMs}`;
      });
    })
    .join('\n');
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Tells of changed content once it rests: somebody who saves ten files in a row means one change. The answer is to be
 * called every second or so.
 */
export function watchContent(onChange: () => Promise<void>, stampOf: () => string = contentStamp): () => Promise<void> {
  let known = stampOf();
  let changing = false;
  return async () => {
    const stamp = stampOf();
    if (stamp !== known) {
      known = stamp;
      changing = true;
    } else if (changing) {
      changing = false;
      await onChange();
    }
  };
}

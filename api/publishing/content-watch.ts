import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './source-digest.ts';

/** The folders that an operator edits while the site runs; code changes take effect on restart. */
const contentFolders = ['content/blog', 'content/images', 'content/legal', 'content/pages', 'content/texts'];

/** The names, sizes, and modification times of all content files; takes about a millisecond. */
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
 * Returns a check to be run about once per second. It calls `onChange` with the changed, new, and deleted files when
 * content has changed and then stayed the same, so that ten files saved in a row are one change.
 */
export function watchContent(
  onChange: (files: readonly string[]) => Promise<void>,
  stampOf: () => string = contentStamp,
): () => Promise<void> {
  let reported = stampOf();
  let known = reported;
  return async () => {
    const stamp = stampOf();
    if (stamp !== known) known = stamp;
    else if (stamp !== reported) {
      const files = changedFiles(reported, stamp);
      reported = stamp;
      await onChange(files);
    }
  };
}

/** The files whose lines in two stamps differ. */
function changedFiles(before: string, after: string): string[] {
  const [earlier, later] = [before.split('\n'), after.split('\n')];
  const different = [
    ...earlier.filter((line) => !later.includes(line)),
    ...later.filter((line) => !earlier.includes(line)),
  ];
  return [...new Set(different.map((line) => line.split(' ')[0]!))].filter((name) => /\.\w+$/.test(name));
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './disk.ts';
import { projectFolder } from './source-digest.ts';

/** The folders that an operator edits while the site runs; code changes take effect on restart. */
const contentFolders = ['content/blog', 'content/images', 'content/legal', 'content/pages', 'content/texts'];

/** The names, sizes, and modification times of all content files; takes about a millisecond. */
export function contentStamp(root = projectFolder): string {
  return contentFolders
    .flatMap((folder) => filesBelow(join(root, folder)).map((name) => `${folder}/${name}`))
    .sort()
    .map((file) => {
      const facts = statSync(join(root, file), { throwIfNoEntry: false });
      return `${file} ${facts?.size} ${facts?.mtimeMs}`;
    })
    .join('\n');
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

import { disk } from '#api/publishing/disk.ts';

/**
 * Calls `before` with the number of each operation, from 1, with which publishers of this process change files; it may
 * throw. Returns the function that ends this.
 */
export function watchDisk(before: (operation: number) => void): () => void {
  const originals: Readonly<Record<string, (...args: never[]) => unknown>> = { ...disk };
  let count = 0;
  for (const [name, original] of Object.entries(originals)) {
    if (name === 'syncFolder') continue;
    Object.assign(disk, {
      [name](...args: never[]) {
        count += 1;
        before(count);
        return original(...args);
      },
    });
  }
  return () => void Object.assign(disk, originals);
}

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageFiles } from './page-files.ts';
import { scenes } from './scenes.ts';

const folder = 'site/pages';
const names = scenes.map(({ name }) => name);

describe('the gallery', () => {
  it('lists every page file, with its scene or as one that is not a screen', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1));
    expect(files.toSorted()).toEqual(Object.keys(pageFiles).toSorted());
  });

  it('names only existing scenes, and scene names are unique', () => {
    expect(Object.values(pageFiles).filter((scene) => scene !== null && !names.includes(scene))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

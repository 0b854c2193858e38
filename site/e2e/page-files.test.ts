import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pageFiles } from './page-files.ts';
import { scenes } from './scenes.ts';

const folder = 'site/pages';
const names = scenes.map(({ name }) => name);

describe('the gallery', () => {
  it('has a scene for every page, or says that the page is no screen', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1));
    expect(files.toSorted()).toEqual(Object.keys(pageFiles).toSorted());
  });

  it('names no scene that there is not, and no two alike', () => {
    expect(Object.values(pageFiles).filter((scene) => scene !== null && !names.includes(scene))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

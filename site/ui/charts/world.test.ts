import { expect, test } from 'vitest';
import { countryPath, world, worldFile } from './world.ts';

test('countries are found by the names that operators use, and unknown names are not on the map', () => {
  for (const name of ['France', 'united states', 'USA', 'UK', 'Türkiye', ' Czech Republic ', 'Vietnam', 'South Korea'])
    expect([name, countryPath(name)?.startsWith('M')]).toEqual([name, true]);
  expect(countryPath('USA')).toBe(countryPath('United States of America'));
  for (const name of ['Atlantis', '', 'Antarctica', '__proto__']) expect(countryPath(name)).toBeNull();
});

test('the land is inside the map, and the file is small', () => {
  const file = worldFile();
  const numbers = [...file.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)];
  expect(numbers.length).toBeGreaterThan(2_000);
  for (const [, x, y] of numbers) {
    expect(Number(x)).toBeGreaterThanOrEqual(0);
    expect(Number(x)).toBeLessThanOrEqual(world.width);
    expect(Number(y)).toBeGreaterThanOrEqual(0);
    expect(Number(y)).toBeLessThanOrEqual(world.height);
  }
  expect(file.length).toBeLessThan(60_000);
});

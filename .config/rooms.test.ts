import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the services of the API form no circle of rooms', () => {
  const uses = new Map<string, Set<string>>();
  for (const file of globSync('api/*/*.ts')) {
    const room = file.split('/')[1]!;
    if (['testing', 'commands'].includes(room) || file.includes('.test.')) continue;
    for (const [, other] of readFileSync(file, 'utf8').matchAll(/from '#api\/([a-z-]+)\//g)) {
      if (other !== room) uses.set(room, (uses.get(room) ?? new Set()).add(other!));
    }
  }
  const circle = (room: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    for (const next of uses.get(room) ?? []) {
      const found = circle(next, [...path, room]);
      if (found) return found;
    }
    return undefined;
  };
  expect(uses.size).toBeGreaterThan(0);
  expect([...uses.keys()].map((room) => circle(room, [])).find(Boolean)).toBeUndefined();
});

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '#platform/database.ts';
import { quickFolder } from './quick-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A closed, migrated SQLite file. */
    sqliteTemplate: string;
  }
}

/** Vitest’s global setup: one migrated SQLite file, of which each test database is a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(quickFolder(), 'weathervane-template-'));
  const file = join(folder, 'migrated.sqlite');
  const template = openDatabase(`sqlite:${file}`);
  await migrate(template);
  // The last close checkpoints the write-ahead log into the file.
  await template.destroy();
  project.provide('sqliteTemplate', file);
  return () => rm(folder, { recursive: true, force: true });
}

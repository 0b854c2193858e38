import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '#platform/database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated SQLite file that nobody has open. */
    sqliteTemplate: string;
  }
}

/** Vitest's global set-up: one migrated SQLite file, which each test database is a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'weathervane-template-'));
  const file = join(folder, 'migrated.sqlite');
  const template = openDatabase(`sqlite:${file}`);
  await migrate(template);
  // The last one who closes it moves the write-ahead log into the file.
  await template.destroy();
  project.provide('sqliteTemplate', file);
  return () => rm(folder, { recursive: true, force: true });
}

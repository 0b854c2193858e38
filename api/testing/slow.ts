const scope = process.env.TEST_SCOPE;

/** Whether slow tests run: in `npm test -- all`, and wherever files are named. `npm test` and `-- changed` leave them out. */
export const runsSlow = scope !== 'default' && scope !== 'changed';

/**
 * Option of a test that is slow: `test('…', slow, …)`. Each family of slow tests keeps a quick one in every run. A
 * statement in `content/handbook/coverage.md` may name slow tests, but not those alone.
 */
export const slow = { skip: !runsSlow };

type EngineName = 'SQLite' | 'PostgreSQL';

/** The databases on which tests run that are about both. */
export const engineNames: readonly EngineName[] = scope === 'changed' ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

/** The databases for tests of what is the same on both: command lines, files, releases. */
export const quickEngineNames: readonly EngineName[] = runsSlow ? engineNames : ['SQLite'];

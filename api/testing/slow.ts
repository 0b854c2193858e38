const scope = process.env.TEST_SCOPE;

/** Whether slow tests run: in `npm test -- all` and when files are named, but not in `npm test` and `-- changed`. */
export const runsSlow = scope !== 'default' && scope !== 'changed';

/**
 * The option of a slow test: `test('…', slow, …)`. Each family of slow tests keeps a quick one in every run. A
 * statement of the specification may name slow tests, but not only those.
 */
export const slow = runsSlow ? {} : { skip: true };

type EngineName = 'SQLite' | 'PostgreSQL';

/** The databases for tests that differ between engines. */
export const engineNames: readonly EngineName[] = scope === 'changed' ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

/** The databases for tests of engine-independent code: command lines, files, pages. */
export const quickEngineNames: readonly EngineName[] = runsSlow ? engineNames : ['SQLite'];

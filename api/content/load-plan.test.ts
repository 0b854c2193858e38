import { expect, test } from 'vitest';
import type { EntryRow } from './entries.queries.ts';
import { planLoad } from './load-plan.ts';

/** An entry that was loaded from the file text “file”, and then became what `changes` say. */
const entry = (changes: Partial<EntryRow> = {}): EntryRow => ({
  ...{ id: 1, folder: 'blog', name: 'tie', source: 'file', live: 'file', version: 1, file_source: 'file' },
  ...{ publish_at: null, publish_version: null, withdrawn_at: null, deleted_at: null, newer_file: null },
  ...{ created_at: 0, updated_at: 0, updated_by: 'content files', reviewed_at: null, reviewed_by: null },
  ...changes,
});
const edited = { source: 'mine', live: 'mine' };

/** What loading the file with this text (null: it is gone) would do with an entry. */
function planned(row: EntryRow | null, source: string | null, options = {}): string {
  const files = source === null ? [] : [{ folder: 'blog', name: 'tie', source } as const];
  const { added, replaced, dropped, offered, agreed } = planLoad(row === null ? [] : [row], files, options);
  return [
    ...added.map((file) => `add ${file.source}`),
    ...replaced.map((one) => `become ${one.source}`),
    ...dropped.map(() => 'unpublish'),
    ...offered.map(({ newer }) => `offer ${newer}`),
    ...agreed.map((one) => `agree ${one.source}`),
  ].join();
}

test.each<[string, EntryRow | null, string | null, string]>([
  ['a new file is published', null, 'new', 'add new'],
  ['an unchanged file changes nothing', entry(), 'file', ''],
  ['a changed file changes a text that nobody edited', entry(), 'new', 'become new'],
  ['the file of an edited text changes nothing while it stays the same', entry(edited), 'file', ''],
  ['a changed file is offered where the text was edited', entry(edited), 'new', 'offer new'],
  ['a file is offered once', entry({ ...edited, newer_file: 'new' }), 'new', ''],
  ['a file that is as before is offered no more', entry({ ...edited, newer_file: 'new' }), 'file', 'offer null'],
  ['a file that says what was edited belongs to it again', entry(edited), 'mine', 'agree mine'],
  ['an unpublished draft is an edit', entry({ source: 'mine' }), 'new', 'offer new'],
  ['an article whose file is gone is unpublished', entry(), null, 'unpublish'],
  ['an edited article whose file is gone stays', entry(edited), null, ''],
  ['an article whose file is back is published again', entry({ live: null }), 'file', 'become file'],
  ['a page whose file is gone stays', entry({ folder: 'legal' }), null, ''],
  ['an unpublished article stays so', entry({ live: null, withdrawn_at: 5 }), 'file', ''],
  [
    'a deleted article isn’t brought back',
    entry({ live: null, withdrawn_at: 5, deleted_at: 5, source: '' }),
    'file',
    '',
  ],
  [
    'a file at the address of an article written in the browser is offered',
    entry({ ...edited, file_source: null }),
    'new',
    'offer new',
  ],
])('%s', (_, row, source, plan) => {
  expect(planned(row, source)).toBe(plan);
});

test('with force a changed file replaces an edited text, and an unchanged one still doesn’t', () => {
  const force = { force: true };
  expect([planned(entry(edited), 'new', force), planned(entry(edited), 'file', force)]).toEqual(['become new', '']);
});

test('where the files are some of many, an article without a file stays', () => {
  expect(planned(entry(), null, { isPart: true })).toBe('');
});

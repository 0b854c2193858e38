import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ImportPreview, ImportSettings } from '#api/polls/import/import-settings.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Exports } from './Exports.tsx';
import { ImportPolls } from './ImportPolls.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const detected: ImportPreview = {
  ...{ kind: 'csv', isSpecified: false, shape: 'polls', dates: 'ambiguous', rows: [], errors: [], warnings: [] },
  settings: { delimiter: ';', columns: ['question', null], dateFormat: 'iso', timeZone: 'UTC' },
  columns: [
    { name: 'Frage', samples: ['Tee oder Kaffee?'] },
    { name: 'Beginn', samples: ['01.12.2026'] },
  ],
  missing: ['starts_at'],
};
const refused = {
  ...{
    message: 'Nothing was imported.',
    imported: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    warnings: [],
  },
  ...{ groups: [], errors: [{ line: 1, column: null, value: null, code: 'wrong_separator', reason: 'Semicolons.' }] },
};
let asked: { path: string; settings: ImportSettings | null }[];

const settingsIn = (form: FormData) => JSON.parse((form.get('settings') as string | null) ?? 'null') as ImportSettings;

/** Answers uploads: refused without settings, accepted with them. */
class Upload {
  readonly upload = {};
  status = 0;
  responseText = '';
  onload = () => undefined;
  readonly open = () => undefined;
  readonly setRequestHeader = () => undefined;
  readonly abort = () => undefined;
  send(form: FormData) {
    const settings = settingsIn(form);
    asked.push({ path: form.get('dryRun') === 'true' ? 'dry run' : 'import', settings });
    this.status = settings === null ? 400 : 200;
    const accepted = { ...refused, message: 'All rows are fine.', errors: [], inserted: 2, imported: 2 };
    this.responseText = JSON.stringify(settings === null ? refused : accepted);
    this.onload();
  }
}

beforeEach(() => {
  asked = [];
  vi.stubGlobal('XMLHttpRequest', Upload);
  vi.stubGlobal('fetch', (path: string, { body }: { body: FormData }) => {
    const settings = body instanceof FormData ? settingsIn(body) : null;
    asked.push({ path, settings });
    if (settings === null) return Promise.resolve(Response.json(detected));
    const poll = {
      ...{
        id: 'tee-2026-12-01',
        question: 'Tee oder Kaffee?',
        description: '',
        options: ['Tee', 'Kaffee'],
        votes: settings.columns.includes('answer_votes') ? [1204, 7] : null,
      },
      ...{ startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-08T00:00:00Z', category: null, exists: false },
    };
    const missing = settings.columns.includes('starts_at') ? [] : ['starts_at' as const];
    const rows = missing.length === 0 || poll.votes !== null ? [{ line: 2, poll }] : [];
    return Promise.resolve(Response.json({ ...detected, settings, missing, rows } satisfies ImportPreview));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  vi.unstubAllGlobals();
});

const pick = (name: string) =>
  fireEvent.change(screen.getByLabelText('Choose a CSV file or a workbook, or drop it here'), {
    target: { files: [new File(['Frage;Beginn'], name)] },
  });

test('a file in another format is imported once its columns and date order are chosen and all rows are checked', async () => {
  render(<ImportPolls />);
  pick('umfragen.csv');
  const column = await screen.findByLabelText<HTMLSelectElement>('Read “Beginn” as');
  expect(screen.getByText('Choose the columns for: Start.')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Before the upload' })).toBeNull();
  const check = screen.getByRole<HTMLButtonElement>('button', { name: 'Check all rows' });
  expect(check.disabled).toBe(true);

  fireEvent.change(column, { target: { value: 'starts_at' } });
  expect(await screen.findByText('tee-2026-12-01')).toBeTruthy();
  expect(screen.getByText(/could have the month or the day first/)).toBeTruthy();
  expect(check.disabled).toBe(true);

  fireEvent.change(screen.getByLabelText('Dates'), { target: { value: 'day-first' } });
  await vi.waitFor(() => expect(check.disabled).toBe(false), { timeout: 20_000 });
  fireEvent.click(check);
  expect(await screen.findByText('All rows are fine.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Upload CSV' }));
  await vi.waitFor(() => expect(asked.at(-1)?.path).toBe('import'), { timeout: 20_000 });
  expect(asked.at(-1)?.settings).toEqual({
    ...{ delimiter: ';', columns: ['question', 'starts_at'], dateFormat: 'day-first', timeZone: 'UTC' },
  });
});

test('a field is read from one column: assigning it again releases the other', async () => {
  render(<ImportPolls />);
  pick('umfragen.csv');
  fireEvent.change(await screen.findByLabelText('Read “Beginn” as'), { target: { value: 'question' } });
  await vi.waitFor(() => expect(asked.at(-1)?.settings?.columns).toEqual([null, 'question']), { timeout: 20_000 });
});

test('rows above the names of columns are skipped once their row is chosen, and the columns are proposed again', async () => {
  render(<ImportPolls />);
  pick('umfragen.csv');
  fireEvent.change(await screen.findByLabelText('Row with the column names'), { target: { value: '3' } });
  await vi.waitFor(() => expect(asked.at(-1)?.settings).toMatchObject({ headerLine: 3, columns: [] }), {
    timeout: 20_000,
  });
});

test('a file with one row per person says so, takes the column to count, its answers, and dates for all rows', async () => {
  Object.assign(detected, { shape: 'responses', missing: ['response', 'starts_at'] });
  render(<ImportPolls />);
  pick('answers.xlsx');
  expect(await screen.findByText(/^The file seems to have one row per person who answered/)).toBeTruthy();
  const settings = () => asked.at(-1)?.settings;
  fireEvent.change(screen.getByLabelText('Read “Frage” as'), { target: { value: 'response' } });
  await vi.waitFor(() => expect(settings()?.columns).toEqual(['response', null]), { timeout: 20_000 });
  fireEvent.blur(screen.getByLabelText('Start'), { target: { value: ' 2026-11-01 ' } });
  await vi.waitFor(() => expect(settings()?.fixed).toEqual({ starts_at: '2026-11-01' }), { timeout: 20_000 });
  fireEvent.blur(screen.getByLabelText('Answers'), { target: { value: '- Tee\n- Kaffee' } });
  await vi.waitFor(() => expect(settings()?.answers).toEqual(['Tee', 'Kaffee']), { timeout: 20_000 });
  fireEvent.blur(screen.getByLabelText('Answers'), { target: { value: '' } });
  await vi.waitFor(() => expect(settings()).not.toHaveProperty('answers'), { timeout: 20_000 });
  Object.assign(detected, { shape: 'polls', missing: ['starts_at'] });
});

test('several columns are read as answers, and the votes of a row are shown', async () => {
  render(<ImportPolls />);
  pick('results.xlsx');
  for (const name of ['Frage', 'Beginn']) {
    fireEvent.change(await screen.findByLabelText(`Read “${name}” as`), { target: { value: 'answer_votes' } });
    await vi.waitFor(() => expect(asked.at(-1)?.settings?.columns).toContain('answer_votes'), { timeout: 20_000 });
  }
  await vi.waitFor(() => expect(asked.at(-1)?.settings?.columns).toEqual(['answer_votes', 'answer_votes']), {
    timeout: 20_000,
  });
  expect(await screen.findByText('Tee (1,204) · Kaffee (7)')).toBeTruthy();
});

test('a workbook is not sent before its settings are chosen', async () => {
  render(<ImportPolls />);
  pick('polls.xlsx');
  expect(await screen.findByLabelText('Read “Frage” as')).toBeTruthy();
  expect(asked.map(({ path }) => path)).toEqual(['/api/admin/imports/preview']);
});

test('exports ask for the chosen kind, state, and poll', async () => {
  vi.stubGlobal('fetch', (path: string) => {
    asked.push({ path, settings: null });
    return Promise.resolve(new Response('', { status: 404 }));
  });
  render(<Exports />);
  const exports = within(screen.getByRole('region', { name: 'Exports' }));
  fireEvent.change(exports.getByLabelText('Which polls'), { target: { value: 'community' } });
  expect(exports.getByText(/^Without their creators/)).toBeTruthy();
  fireEvent.change(exports.getByLabelText('What'), { target: { value: 'results' } });
  fireEvent.change(exports.getByLabelText('State'), { target: { value: 'closed' } });
  fireEvent.click(exports.getByRole('button', { name: 'Download CSV' }));
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000 });
  fireEvent.input(exports.getByLabelText('Poll id'), { target: { value: 'tea' } });
  await vi.waitFor(
    () => expect(exports.getByRole('button', { name: 'Download JSON' }).getAttribute('aria-disabled')).toBe('false'),
    { timeout: 20_000 },
  );
  fireEvent.click(exports.getByRole('button', { name: 'Download JSON' }));
  await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 20_000 });
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/admin/exports/results.csv?source=community&state=closed',
    '/api/admin/exports/results.json?source=community&poll=tea',
  ]);
});

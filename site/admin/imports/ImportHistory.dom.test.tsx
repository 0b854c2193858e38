import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ImportHistory as History, ImportRecord, UndoPreview } from '#api/polls/import/poll-import.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { ImportHistory } from './ImportHistory.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const record = (id: string, fileName: string): ImportRecord => ({
  ...{ id, fileName, startedAt: '2026-11-20T09:00:00.000Z', finishedAt: '2026-11-20T09:00:01.000Z', message: '' },
  ...{ origin: 'page', mode: 'partial', state: 'done', inserted: 2, updated: 1, unchanged: 0, rejected: 0 },
  ...{ undoable: true, undo: null },
});
const history: History = {
  imports: [record('2', 'later.csv'), record('1', 'earlier.csv')],
  ...{ page: 1, pages: 1, total: 2 },
};
const preview: UndoPreview = {
  ...{ removed: 1, restored: 0, keptVoted: 0, keptChanged: 0, keptLater: 1, votes: 7, series: ['Weekly', 'Monthly'] },
  kept: [{ id: 'tea', question: 'Tea or coffee?', because: 'later' }],
  later: [{ id: '2', fileName: 'later.csv', startedAt: '2026-11-20T10:00:00.000Z', polls: 1 }],
};

beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(Response.json(path.includes('/undo') ? preview : history)));
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  vi.unstubAllGlobals();
});

test('every import offers its undo, which says what depends on it: later imports, votes, and series', async () => {
  render(<ImportHistory />);
  expect(await screen.findByRole('button', { name: 'Undo: import of later.csv' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo: import of earlier.csv' }));
  expect(await screen.findByText('1 poll it added will be removed.')).toBeTruthy();
  expect(screen.getByText('Polls of these series will change: Weekly and Monthly.')).toBeTruthy();
  expect(screen.getByText('7 votes were cast here on the polls of this import. They stay.')).toBeTruthy();
  expect(screen.getByText('1 poll will be left unchanged because a later import changed it.')).toBeTruthy();
  expect(screen.getByText('Tea or coffee?')).toBeTruthy();
  expect(screen.getByText(/^later\.csv, .*10:00.* \(1 poll\)$/)).toBeTruthy();
});

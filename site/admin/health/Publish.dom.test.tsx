import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { DiskRoom } from '#contract/disk.ts';
import { adminQueryKey } from '#site/admin/AdminList.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { DiskSpace } from './Publish.tsx';

const publishingKey = adminQueryKey('publishing');

afterEach(() => {
  cleanup();
  queryClient().clear();
});

function show(level: DiskRoom['level'] | null, freeBytes = 0) {
  const disk = level && { level, freeBytes, wantedBytes: 1_000_000_000 };
  queryClient().setQueryDefaults(publishingKey, { staleTime: Infinity });
  queryClient().setQueryData(publishingKey, { builds: [], releases: [], disk });
  const { container } = render(<DiskSpace />);
  return container.textContent;
}

test('the admin page says how much disk space is left when it is low, and what stops working', () => {
  expect(show('low', 640_000_000)).toBe(
    'Low disk space640 MB free; publishing and backups need up to 1.0 GB. The next publish or backup may fail.',
  );
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  ['critical', 52_000_000, 'Very low disk space', '52 MB free', 'failing, and votes may soon be refused'],
  ['full', 1_200_000, 'The disk is full', '1 MB free', 'Votes are being refused'],
] as const)('a disk that is %s is an alert', (level, bytes, title, room, meaning) => {
  show(level, bytes);
  const alert = screen.getByRole('alert').textContent;
  for (const words of [title, room, meaning]) expect(alert).toContain(words);
});

test.each(['ok', null] as const)('there is no warning for a disk that is %s', (level) => {
  expect(show(level, 5_000_000_000)).toBe('');
});

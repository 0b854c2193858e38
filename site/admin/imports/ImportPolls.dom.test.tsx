import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { FormatGuide } from './ImportPolls.tsx';

afterEach(cleanup);

test('[S2.125 S5.14] the guide names the eight required and the ten optional columns', () => {
  render(<FormatGuide />);
  const under = (heading: string) => screen.getByText(heading).nextElementSibling!.textContent.split(', ');
  expect(screen.getByText('CSV format guide')).toBeTruthy();
  expect(under('Required columns')).toEqual([
    'id',
    'question',
    'description',
    'options',
    'is_active',
    'created_at',
    'ends_at',
    'starts_at',
  ]);
  expect(under('Optional columns')).toEqual([
    'total_votes',
    'summary',
    'analysis',
    'methodology_notes',
    'author',
    'category',
    'tags',
    'closed_at',
    'country_breakdown',
    'updated_at',
    'series',
    'publish_ballots',
    'protection',
    'series_note',
    ...['source', 'sample', 'field_dates', 'mode', 'sponsor', 'license', 'link'],
  ]);
});

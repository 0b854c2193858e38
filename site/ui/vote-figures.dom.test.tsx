import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Intervention } from '#contract/vote-figures.ts';
import { VoteFigures } from './VoteFigures.tsx';

afterEach(cleanup);

const decision: Intervention = {
  ...{ number: 1, action: 'hold', reason: 'automated-network', votes: 2_200, state: 'set-aside' },
};
const attacked = { totalVotes: 1, receivedVotes: 2_201, setAsideVotes: 2_200, heldVotes: 0, interventions: [decision] };

test('a result whose votes are not all counted says how many are, and links to the explanation', () => {
  render(<VoteFigures poll={attacked} />);
  expect(screen.getByRole('paragraph').textContent).toMatch(
    /^2,201 votes received, 1 counted, 2,200 set aside \(automated voting from one network\)\. /,
  );
  expect(screen.getByRole('link', { name: 'What this means' })).toHaveProperty('pathname', '/integrity');
});

test('a card that is a link has no link inside, and an embedded poll opens a new tab', () => {
  const { rerender } = render(<VoteFigures poll={attacked} href={null} />);
  expect(screen.queryByRole('link')).toBeNull();
  rerender(<VoteFigures poll={attacked} href="https://polls.example/integrity" newTab="(new tab)" />);
  expect(screen.getByRole('link', { name: /\(new tab\)/ })).toHaveProperty('target', '_blank');
});

test('a result whose votes are all counted says nothing', () => {
  const { container } = render(<VoteFigures poll={{ totalVotes: 5 }} />);
  expect(container.childElementCount).toBe(0);
});

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Intervention } from '#api/voting/vote-figures.contract.ts';
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

const flagged = {
  totalVotes: 1_400,
  options: [
    { id: 'a', text: 'Ada', votes: 200 },
    { id: 'b', text: 'Ben', votes: 1_200 },
  ],
  independent: {
    ...{ votes: 310, leaders: ['a'], asOf: '2026-11-28T12:00:00.000Z', isFinal: true },
    options: [
      { id: 'a', votes: 190 },
      { id: 'b', votes: 120 },
    ],
  },
};

test('a flagged result says how many votes are independent, and who leads among them if that is somebody else', () => {
  const { rerender } = render(<VoteFigures poll={flagged} href={null} />);
  const [leader, figures] = screen.getAllByRole('paragraph').map(({ textContent }) => textContent.trim());
  expect(leader).toBe('With one vote per network, “Ada” leads, not “Ben”.');
  expect(figures).toBe('1,400 votes received, 1,400 counted, 310 of them independent (at most one per network).');
  rerender(<VoteFigures poll={{ ...flagged, independent: { ...flagged.independent, leaders: ['b'] } }} href={null} />);
  expect(screen.getAllByRole('paragraph')).toHaveLength(1);
  rerender(
    <VoteFigures poll={{ ...flagged, independent: { ...flagged.independent, leaders: ['a', 'b'] } }} href={null} />,
  );
  expect(screen.getAllByRole('paragraph')[0]!.textContent).toBe(
    'With one vote per network, “Ada” and “Ben” tie for the lead, not “Ben”.',
  );
});

test('independent votes are marked as ones that nobody can recount, and with their time while the poll is open', () => {
  const { rerender } = render(<VoteFigures poll={flagged} />);
  expect(screen.getByText(/as fixed after the end, .* Nobody can recount them/)).toBeTruthy();
  rerender(<VoteFigures poll={{ ...flagged, independent: { ...flagged.independent, isFinal: false } }} />);
  expect(screen.getByText(/as of 2026-11-28, 12:00 UTC, .* Nobody can recount them/)).toBeTruthy();
});

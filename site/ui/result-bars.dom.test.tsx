import { cleanup, render, screen, within } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { ResultBars } from './ResultBars.tsx';

afterEach(cleanup);

const options = [
  { id: 'a', text: 'Yes', votes: 1_234_567 },
  { id: 'b', text: 'No', votes: 1 },
  { id: 'c', text: 'Perhaps', votes: 0 },
  { id: 'd', text: 'Ask me later', votes: 765_432 },
];
const totalVotes = 2_000_000;
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);
const widths = () => [...document.querySelectorAll('rect:last-child')].map((bar) => bar.getAttribute('width'));

it('[S2.60] shows text, percentage, and votes of each option in the poll’s own order', () => {
  render(<ResultBars options={options} totalVotes={totalVotes} />);
  expect(rows()).toEqual(['Yes62%1,234,567 votes', 'No0%1 vote', 'Perhaps0%0 votes', 'Ask me later38%765,432 votes']);
  expect(widths()).toEqual(['62', '0', '0', '38']);
});

it('[S3.22] rounds to one decimal on reports', () => {
  render(<ResultBars options={options} totalVotes={totalVotes} decimals={1} />);
  expect(rows()[0]).toContain('61.7%');
});

it('[S2.60] shows at most the requested number of options, with percentages of all votes', () => {
  render(<ResultBars options={options} totalVotes={totalVotes} max={3} />);
  expect(rows()).toHaveLength(3);
  expect(rows()[0]).toContain('62%');
});

it('[S2.60] marks only the option that the voter chose', () => {
  render(<ResultBars options={options} totalVotes={totalVotes} userVotes={['b']} />);
  expect(within(screen.getAllByRole('listitem')[1]!).getByText('Your vote')).toBeTruthy();
  expect(screen.getAllByText('Your vote')).toHaveLength(1);
});

it('[S3.22] shows zeros when nobody has voted', () => {
  render(<ResultBars options={options.map((option) => ({ ...option, votes: 0 }))} totalVotes={0} />);
  expect(rows()).toEqual(['Yes0%0 votes', 'No0%0 votes', 'Perhaps0%0 votes', 'Ask me later0%0 votes']);
  expect(widths()).toEqual(['0', '0', '0', '0']);
});

it('[S2.61] colors by position: the fourth option and later ones share the last color', () => {
  const many = Array.from({ length: 10 }, (_, index) => ({ id: `o${index}`, text: `Option ${index}`, votes: 1 }));
  render(<ResultBars options={many} totalVotes={10} />);
  const colors = screen
    .getAllByRole('listitem')
    .map(({ className }) => /first|second|third|later/.exec(className)?.[0]);
  expect(colors).toEqual(['first', 'second', 'third', ...Array.from({ length: 7 }, () => 'later')]);
});

it('needs no inline style, which the content security policy forbids', () => {
  expect(
    renderToStaticMarkup(<ResultBars options={options} totalVotes={totalVotes} userVotes={['a']} grow />),
  ).not.toContain('style=');
});

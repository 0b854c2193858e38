import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HistoricalPage, PollCard } from '#api/polls/polls.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Archive } from './Archive.island.tsx';

const poll = (n: number, change: Partial<PollCard> = {}): PollCard => ({
  id: `poll-${n}`,
  question: `Question ${n}?`,
  description: '',
  options: [
    { id: 'a', text: 'Yes', votes: 600 },
    { id: 'b', text: 'No', votes: 300 },
    { id: 'c', text: 'Perhaps', votes: 90 },
    { id: 'd', text: 'Never', votes: 10 },
  ],
  totalVotes: 1_000,
  isActive: false,
  category: 'world-news',
  tags: [],
  author: null,
  createdAt: '2026-10-01T08:00:00.000Z',
  updatedAt: '2026-10-15T08:00:00.000Z',
  startsAt: '2026-10-01T08:00:00.000Z',
  endsAt: '2026-10-20T08:00:00.000Z',
  closedAt: '2026-10-15T08:00:00.000Z',
  ...change,
});
const nine = Array.from({ length: 9 }, (_, index) => poll(index + 1));
const known: HistoricalPage = {
  polls: nine,
  total: 20,
  categories: ['all', 'climate-change', 'world-news'],
  years: [2026],
};

let requests: string[];
let answer: () => Promise<Response>;
const scrollTo = vi.fn();

beforeEach(() => {
  queryClient().clear();
  scrollTo.mockReset();
  requests = [];
  answer = () => Promise.resolve(Response.json({ ...known, polls: [poll(10)], total: 10 }));
  vi.stubGlobal('scrollTo', scrollTo);
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url);
    return answer();
  });
});
afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/historical');
  vi.unstubAllGlobals();
});

const show = (search = '', page: HistoricalPage = known) => {
  history.replaceState(null, '', `/historical${search}`);
  render(<Archive search={search} initial={page} />);
};
const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const choices = (label: string) => [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);

test('[S2.24 S2.25] categories are readable, “all” comes first, and there are four sort orders', () => {
  show();
  expect(choices('Category')).toEqual(['All Categories', 'Climate Change', 'World News']);
  expect(choices('Sort')).toEqual(['Newest to Oldest', 'Oldest to Newest', 'Most Voted', 'Least Voted']);
  const [category, sort] = screen.getAllByRole<HTMLSelectElement>('combobox');
  expect([category!.value, sort!.value]).toEqual(['all', 'newest']);
  expect(requests).toEqual([]);
});

test('the filter doesn’t offer an unknown category', () => {
  show('?category=buy-now', { ...known, polls: [], total: 0 });
  expect(choices('Category')).toEqual(['Unknown category', 'All Categories', 'Climate Change', 'World News']);
  expect(screen.getByText<HTMLOptionElement>('Unknown category').disabled).toBe(true);
  expect(screen.getByText('No Historical Polls')).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/buy.now/i);
});

test('[S2.26] a card shows label, question, description, dates, votes, and bars, and links to the report', () => {
  show('', { ...known, polls: [poll(1, { description: 'About it.' })], total: 1 });
  const card = within(screen.getByRole('article'));
  for (const text of ['Completed', 'About it.', '1,000 votes', '60%']) expect(card.getByText(text)).toBeTruthy();
  expect(card.getByText(/^Oct 1\D+15, 2026$/)).toBeTruthy();
  expect(card.getByRole('link', { name: 'Question 1?' }).getAttribute('href')).toBe('/poll/poll-1');
  expect(card.getAllByRole('listitem')).toHaveLength(4);
  const bars = [...screen.getByRole('article').querySelectorAll('rect:last-child')];
  expect(bars.map((bar) => bar.getAttribute('width'))).toEqual(['60', '30', '9', '1']);
});

test('a card ranks answers by votes, sets the leader in bold, keeps each answer’s color, and sums up the rest', () => {
  const options = [
    { id: 'a', text: 'First written', votes: 10 },
    { id: 'b', text: 'Second written', votes: 20 },
    { id: 'c', text: 'Third written', votes: 30 },
    { id: 'd', text: 'Winner', votes: 925 },
    { id: 'e', text: 'Last written', votes: 15 },
  ];
  show('', { ...known, polls: [poll(1, { options })], total: 1 });
  const rows = within(screen.getByRole('article')).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Winner93%',
    'Third written3%',
    'Second written2%',
    'Other answers3%',
  ]);
  expect(rows.map(({ className }) => className.includes('leading'))).toEqual([true, false, false, false]);
  expect(rows.map(({ className }) => /first|second|third|later|sum/.exec(className)?.[0])).toEqual([
    'later',
    'third',
    'second',
    'sum',
  ]);
});

test('a card of a poll without votes sets no answer in bold', () => {
  const options = poll(1).options.map((option) => ({ ...option, votes: 0 }));
  show('', { ...known, polls: [poll(1, { options, totalVotes: 0 })], total: 1 });
  expect(screen.getByRole('article').innerHTML).not.toContain('leading');
});

test('[S2.31] changing category or order returns to page 1', async () => {
  show('?page=2');
  choose('Category', 'climate-change');
  await waitFor(() => expect(location.search).toBe('?category=climate-change'));
  expect(requests.at(-1)).toMatch(/page=1&limit=9&sort=newest&category=climate-change$/);
  await waitFor(() => expect(screen.getByText('Question 10?')).toBeTruthy());
  expect(scrollTo).not.toHaveBeenCalled();
  cleanup();
  queryClient().clear();
  show('?page=2');
  choose('Sort', 'least-voted');
  await waitFor(() => expect(location.search).toBe('?sort=least-voted'));
  expect(requests.at(-1)).toMatch(/page=1&limit=9&sort=least-voted$/);
  expect(scrollTo).not.toHaveBeenCalled();
});

test('[S2.29 S2.32] changing the page scrolls smoothly to the top and shows the page number and total', async () => {
  show();
  expect(screen.getByText('Showing page 1 of 3 (20 total polls)')).toBeTruthy();
  answer = () => Promise.resolve(Response.json({ ...known, polls: [poll(10)] }));
  fireEvent.click(screen.getByRole('link', { name: 'Next' }));
  await waitFor(() => expect(screen.getByText('Showing page 2 of 3 (20 total polls)')).toBeTruthy());
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior: 'smooth' });
});

test('[S8.16] a list that can’t be loaded says so and can be retried', async () => {
  show();
  const works = answer;
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  choose('Sort', 'oldest');
  await waitFor(() => expect(screen.getByText('Failed to fetch historical polls')).toBeTruthy());
  answer = works;
  fireEvent.click(screen.getByText('Try again'));
  await waitFor(() => expect(screen.getByText('Question 10?')).toBeTruthy());
});

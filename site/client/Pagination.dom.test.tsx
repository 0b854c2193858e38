import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi, describe } from 'vitest';
import { archiveAddress, firstView } from '#site/polls/archive/archive-query.ts';
import { Pagination, pageCount, pageWindow } from './Pagination.tsx';

afterEach(cleanup);

const show = (page: number, pages: number, onPage = vi.fn()) => {
  render(<Pagination {...{ page, pages, onPage }} hrefOf={(to) => archiveAddress({ ...firstView, page: to })} />);
  return onPage;
};
const numbers = () =>
  within(screen.getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent);

it('[S2.28] is absent for a single page', () => {
  show(1, 1);
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('[S2.27] offers at most five page numbers around the current page, which is marked', () => {
  show(7, 20);
  expect(numbers()).toEqual(['5', '6', '7', '8', '9']);
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('7');
});

it('[S2.27] has no Previous on the first page and no Next on the last', () => {
  show(1, 3);
  expect(screen.getByText('Previous').getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Previous').hasAttribute('href')).toBe(false);
  expect(screen.getByText('Next').getAttribute('href')).toBe('/historical?page=2');
  cleanup();
  show(3, 3);
  expect(screen.getByText('Next').getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Previous').getAttribute('href')).toBe('/historical?page=2');
});

it('keeps filter and order in its links, so it works without scripts', () => {
  render(
    <Pagination page={2} pages={4} hrefOf={(page) => archiveAddress({ page, sort: 'oldest', category: 'science' })} />,
  );
  expect(screen.getByText('Next').getAttribute('href')).toBe('/historical?page=3&sort=oldest&category=science');
});

it('changes the page in place on a plain click and leaves new tabs to the browser', () => {
  const onPage = show(1, 9);
  expect(fireEvent.click(screen.getByText('4'))).toBe(false);
  expect(onPage).toHaveBeenCalledExactlyOnceWith(4);
  expect(fireEvent.click(screen.getByText('5'), { ctrlKey: true })).toBe(true);
  expect(onPage).toHaveBeenCalledTimes(1);
});

describe('the window of page numbers', () => {
  it.each([
    { current: 1, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 2, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 3, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 4, pages: 10, shown: [2, 3, 4, 5, 6] },
    { current: 8, pages: 10, shown: [6, 7, 8, 9, 10] },
    { current: 10, pages: 10, shown: [6, 7, 8, 9, 10] },
    { current: 1, pages: 1, shown: [1] },
    { current: 3, pages: 3, shown: [1, 2, 3] },
    { current: 99, pages: 4, shown: [1, 2, 3, 4] },
  ])('[S2.27] shows $shown on page $current of $pages', ({ current, pages, shown }) => {
    expect(pageWindow(current, pages)).toEqual(shown);
  });

  it('[S2.27 S9.1] never shows more than five numbers, and always the current page', () => {
    for (let pages = 1; pages <= 30; pages++) {
      for (let current = 1; current <= pages; current++) {
        const shown = pageWindow(current, pages);
        expect(shown).toHaveLength(Math.min(5, pages));
        expect(shown).toContain(current);
        expect(shown[0]).toBeGreaterThanOrEqual(1);
        expect(shown.at(-1)).toBeLessThanOrEqual(pages);
      }
    }
  });
});

describe('the number of pages', () => {
  it.each([
    { total: 0, pages: 1 },
    { total: 9, pages: 1 },
    { total: 10, pages: 2 },
    { total: 900, pages: 100 },
  ])('$total polls fill $pages', ({ total, pages }) => {
    expect(pageCount(total)).toBe(pages);
  });
});

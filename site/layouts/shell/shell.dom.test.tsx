import { fireEvent } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

const scrollTo = vi.fn();
let reducedMotion = false;
const hideMenu = vi.fn();
const isOpen = vi.fn(() => false);

beforeAll(async () => {
  vi.stubGlobal('scrollTo', scrollTo);
  vi.stubGlobal('matchMedia', () => ({
    addEventListener: () => undefined,
    get matches() {
      return reducedMotion;
    },
  }));
  document.body.innerHTML = `
    <header>
      <a href="/here">Here</a> <a href="/elsewhere">Elsewhere</a>
      <button popovertarget="site-menu" aria-expanded="false">Menu</button>
      <div id="site-menu" popover></div>
    </header>
    <main>
      <a href="/here">Text</a>
      <time datetime="2020-01-01" data-relative>Jan 1, 2020</time>
      <time datetime="2020-01-01T20:30:00Z" class="relative-time">Jan 1, 2020</time>
      <a href="/elsewhere?time"><time datetime="2020-01-01T20:30:00Z" class="relative-time">Jan 1, 2020</time></a>
      <time datetime="2020-01-01T00:00:00Z">Jan 1, 2020</time>
    </main>`;
  Object.assign(document.getElementById('site-menu')!, { matches: isOpen, hidePopover: hideMenu });
  document.addEventListener('click', (event) => event.preventDefault());
  await import('./shell.ts');
});
beforeEach(() => {
  history.replaceState(null, '', '/here');
  scrollTo.mockReset();
  hideMenu.mockReset();
  isOpen.mockReturnValue(false);
  reducedMotion = false;
});

const link = (text: string) => [...document.querySelectorAll('a')].find(({ textContent }) => textContent === text)!;

test('[S2.10] a link to the current page scrolls smoothly to the top; other links are followed', () => {
  fireEvent.click(link('Here'));
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior: 'smooth' });
  fireEvent.click(link('Elsewhere'));
  fireEvent.click(link('Text'));
  fireEvent.click(link('Here'), { ctrlKey: true });
  expect(scrollTo).toHaveBeenCalledTimes(1);
});

test('dates marked as relative are shown relative to now without React, with the exact time a tap or a tab stop away', () => {
  const times = [...document.querySelectorAll('time')].map(({ textContent, dataset, tabIndex }) => [
    ...[textContent, dataset.tooltip, tabIndex],
  ]);
  const ago = expect.stringMatching(/^\d+ years ago$/) as string;
  expect(times).toEqual([
    [ago, 'Jan 1, 2020', 0],
    [ago, 'Jan 1, 2020, 20:30 UTC', 0],
    // The link has the focus.
    [ago, 'Jan 1, 2020, 20:30 UTC', -1],
    ['Jan 1, 2020', undefined, -1],
  ]);
});

test('with reduced motion it jumps to the top', () => {
  reducedMotion = true;
  fireEvent.click(link('Here'));
  expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior: 'auto' });
});

test('[S2.17] following any link closes the open menu', () => {
  isOpen.mockReturnValue(true);
  for (const text of ['Here', 'Elsewhere']) fireEvent.click(link(text));
  expect(hideMenu).toHaveBeenCalledTimes(2);
});

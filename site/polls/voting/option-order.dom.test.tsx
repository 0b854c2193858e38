import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inBrowserOrder, isVaried, orderedBy, orderOptions } from './option-order.ts';

const random = { id: 'tea', optionOrder: 'random' } as const;
const pinned = { id: 'tea', optionOrder: 'random-1' } as const;
const options = ['a', 'b', 'c', 'd', 'e'];

/** A browser with this seed opens the page. */
function open(seed?: string) {
  if (seed !== undefined) localStorage.setItem('weathervane-order', seed);
  runInThisContext(orderOptions);
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  delete window.optionPlaces;
});

/** The chi-squared statistic of how often each option was in each place. */
function chiSquared(orders: readonly (readonly string[])[]): number {
  const size = orders[0]!.length;
  const expected = orders.length / size;
  const counts = options
    .slice(0, size)
    .flatMap((one) =>
      Array.from({ length: size }, (_, place) => orders.filter((order) => order[place] === one).length),
    );
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

test('in 600 fresh browsers, no option is in any place more often than by chance', () => {
  const orders = Array.from({ length: 600 }, (_, browser) => {
    open(`browser ${browser}`);
    return inBrowserOrder(random, options);
  });
  // 16 degrees of freedom; 1 of 1,000 fair drawings is above.
  expect(chiSquared(orders)).toBeLessThan(39.25);
  const three = orders.map((_, browser) => {
    open(`browser ${browser}`);
    return inBrowserOrder({ ...random, id: 'weekly' }, options.slice(0, 3));
  });
  expect(chiSquared(three)).toBeLessThan(18.47);
  expect(new Set(three.map((order) => order.join(''))).size).toBe(6);
});

test('two polls have different orders in the same browser, so that no browser favors a place', () => {
  open('1');
  const first = Array.from({ length: 300 }, (_, poll) => inBrowserOrder({ ...random, id: `poll-${poll}` }, options)[0]);
  for (const option of options) expect(first.filter((one) => one === option).length).toBeGreaterThan(35);
});

test('a browser keeps its order, with pinned options at the end', () => {
  open();
  const before = inBrowserOrder(pinned, options);
  expect([...before].sort()).toEqual(options);
  expect(before.at(-1)).toBe('e');
  open();
  expect(inBrowserOrder(pinned, options)).toEqual(before);
});

test('the options of a page are in this order before it is painted', () => {
  const list = document.createElement('ul');
  for (const [name, value] of Object.entries(orderedBy(pinned))) list.setAttribute(name, String(value));
  list.append(...options.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
  document.body.append(list);
  open('7');
  const shown = Array.from(list.children, ({ textContent }) => textContent);
  expect(shown).toEqual(inBrowserOrder(pinned, options));
  expect(shown).not.toEqual(options);
  expect(isVaried(pinned)).toBe(true);
});

test('the published order stays where the poll says so, and where the browser stores nothing', () => {
  open('7');
  expect(inBrowserOrder({ id: 'tea' }, options)).toEqual(options);
  expect([isVaried({ id: 'tea' }), orderedBy({ id: 'tea' })]).toEqual([false, {}]);
  const getItem = () => {
    throw new DOMException('No storage', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem });
  open();
  expect([inBrowserOrder(random, options), isVaried(random)]).toEqual([options, false]);
});

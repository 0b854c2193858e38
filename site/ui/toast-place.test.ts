import { expect, test } from 'vitest';
import { overlap, placeClearOf } from './toast-place.ts';

const box = (left: number, top: number, width: number, height: number) => ({
  ...{ left, top },
  ...{ right: left + width, bottom: top + height },
});
const desktop = { width: 1440, height: 900, top: 64 };
const phone = { width: 390, height: 844, top: 64 };
const toast = box(1004, 780, 420, 104);

test('a notification stays at the bottom end if it covers nothing there', () => {
  expect(placeClearOf(toast, desktop, [box(100, 100, 400, 600)], [])).toBe('bottom-end');
});

test('it moves to a free corner rather than cover the next ballot', () => {
  expect(placeClearOf(toast, desktop, [box(980, 400, 400, 600)], [])).toBe('bottom-start');
  expect(placeClearOf(toast, desktop, [box(0, 400, 1440, 600)], [])).toBe('top-end');
  expect(placeClearOf(box(16, 700, 358, 128), phone, [box(20, 500, 350, 500)], [])).toBe('top-end');
});

test('at the top it is below the top bar', () => {
  const kept = [box(0, 150, 390, 50), box(0, 800, 390, 20)];
  expect(placeClearOf(box(16, 700, 358, 128), phone, [], kept)).toBe('bottom-end');
  expect(placeClearOf(box(16, 700, 358, 128), { ...phone, top: 0 }, [], kept)).toBe('top-end');
});

test('of several elements, it covers as little as possible together', () => {
  const controls = [box(20, 700, 100, 44), box(20, 760, 350, 48), box(20, 90, 80, 20)];
  expect(placeClearOf(box(16, 700, 358, 128), phone, [], controls)).toBe('top-end');
  expect(placeClearOf(toast, desktop, [], [])).toBe('bottom-end');
});

test('where every corner covers some controls, it covers the least', () => {
  expect(placeClearOf(toast, desktop, [], [box(0, 100, 1440, 800)])).toBe('top-end');
});

test('where every corner covers the result or the next ballot, it lies over the top bar', () => {
  expect(placeClearOf(box(16, 400, 288, 128), { width: 320, height: 568, top: 64 }, [box(0, 64, 320, 504)], [])).toBe(
    'bar',
  );
  const columns = [box(100, 64, 600, 836), box(740, 64, 600, 836)];
  expect(placeClearOf(toast, desktop, columns, [])).toBe('bar');
});

test('rectangles that touch share no area', () => {
  expect(overlap(box(0, 0, 10, 10), box(10, 0, 10, 10))).toBe(0);
  expect(overlap(box(0, 0, 10, 10), box(5, 5, 10, 10))).toBe(25);
});

import { fireEvent } from '@testing-library/react';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

beforeAll(async () => {
  vi.useFakeTimers();
  document.body.dataset.tooltipDelay = '700';
  document.body.dataset.tooltipSkip = '300';
  document.body.innerHTML =
    '<button data-tooltip="First words">A</button><button data-tooltip="Other words">B</button><p>Text</p>' +
    '<time tabindex="0" data-tooltip="Nov 21, 2026, 08:00 UTC">yesterday</time>';
  HTMLElement.prototype.showPopover = function show() {
    this.dataset.open = '';
  };
  HTMLElement.prototype.hidePopover = function hide() {
    delete this.dataset.open;
  };
  await import('./tooltips.ts');
});
afterAll(() => void vi.useRealTimers());

const button = (place: number) => document.querySelectorAll('button')[place]!;
const first = () => button(0);
const second = () => button(1);
const over = (element: Element) => fireEvent.pointerOver(element, { pointerType: 'mouse' });
const shown = () => document.querySelector<HTMLElement>('[role=tooltip][data-open]')?.textContent;
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
const leave = () => {
  over(document.querySelector('p')!);
  pass(200);
};

test('[S9.19] a tooltip opens after 700 ms, and the next one immediately within 300 ms', () => {
  over(first());
  pass(699);
  expect(shown()).toBeUndefined();
  pass(1);
  expect(shown()).toBe('First words');
  expect(first().getAttribute('aria-describedby')).toBe('tooltip');

  over(second());
  leave();
  expect(shown()).toBeUndefined();
  expect(first().hasAttribute('aria-describedby')).toBe(false);
  pass(99);
  over(second());
  pass(0);
  expect(shown()).toBe('Other words');
});

test('[S9.19] after 300 ms the delay applies again, and Escape closes the tooltip', () => {
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(shown()).toBeUndefined();
  pass(301);
  over(first());
  pass(699);
  expect(shown()).toBeUndefined();
  pass(1);
  expect(shown()).toBe('First words');
  fireEvent.keyDown(document, { key: 'Escape' });
});

test('the exact time of a relative one is a tap away, and a tap beside it hides it; a button only does what it is for', () => {
  fireEvent.pointerDown(document.querySelector('time')!, { pointerType: 'touch' });
  fireEvent.click(document.querySelector('time')!);
  expect(shown()).toBe('Nov 21, 2026, 08:00 UTC');
  fireEvent.pointerDown(document.querySelector('p')!, { pointerType: 'touch' });
  expect(shown()).toBeUndefined();
  fireEvent.click(first());
  expect(shown()).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Toaster } from './Toaster.tsx';
import { currentToast, dismissFailure, toast, toastClosed } from './toasts.ts';

// The tests render the toaster themselves.
vi.mock('./mount-toaster.tsx', () => ({}));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  currentToast.set(null);
  vi.useRealTimers();
});

const say = (title: string, destructive = false) => {
  act(() => {
    toast({ title, text: `${title} happened.`, destructive });
  });
};
const shown = () => screen.queryAllByRole('listitem');
const pass = (milliseconds: number) => {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
};

it('shows title and text', () => {
  render(<Toaster />);
  say('Vote Recorded');
  expect(shown().map((item) => item.textContent)).toEqual(['Vote RecordedVote Recorded happened.']);
});

it('shows a notification that was sent before the toaster was loaded', () => {
  toast({ title: 'Early' });
  render(<Toaster />);
  expect(shown()).toHaveLength(1);
});

it('[S9.16] shows one at a time: a new notification replaces the last', () => {
  render(<Toaster />);
  say('First');
  say('Second');
  expect(shown().map((item) => item.textContent)).toEqual(['SecondSecond happened.']);
});

it('[S9.16] closes after five seconds', () => {
  render(<Toaster />);
  say('Short-lived');
  pass(4_999);
  expect(currentToast.get()?.open).toBe(true);
  pass(1);
  expect(currentToast.get()?.open).toBe(false);
  expect(shown()).toHaveLength(0);
});

it('gives a second notification its own five seconds', () => {
  render(<Toaster />);
  say('First');
  pass(4_900);
  say('Second');
  pass(4_900);
  expect(currentToast.get()?.open).toBe(true);
  pass(100);
  expect(currentToast.get()?.open).toBe(false);
});

it('[S9.16] closes when the visitor dismisses it, and is removed 1,000,000 ms later', () => {
  render(<Toaster />);
  say('Dismissed');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(currentToast.get()?.open).toBe(false);
  pass(999_999);
  expect(currentToast.get()).not.toBeNull();
  pass(1);
  expect(currentToast.get()).toBeNull();
});

it('[S9.17] is dismissed by a swipe of more than 50 pixels to the right, not by a shorter one or one to the left', () => {
  render(<Toaster />);
  const swipe = (pixels: number) => {
    say('Swiped');
    const at = (clientX: number) => ({ clientX, clientY: 10, button: 0, pointerId: 1, pointerType: 'touch' });
    const [item] = shown();
    fireEvent.pointerDown(item!, at(100));
    fireEvent.pointerMove(item!, at(100 + pixels / 2));
    fireEvent.pointerMove(item!, at(100 + pixels));
    fireEvent.pointerUp(item!, at(100 + pixels));
    return currentToast.get()?.open;
  };
  expect([swipe(50), swipe(-200), swipe(51)]).toEqual([true, true, false]);
});

it('looks different when it reports a failure', () => {
  render(<Toaster />);
  say('Fine');
  const fine = shown()[0]!.className;
  say('Vote Failed', true);
  expect(shown()[0]!.className).not.toBe(fine);
});

it('[S9.17] gets the focus with F8', () => {
  render(<Toaster />);
  say('Here');
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(document.activeElement?.closest('[role="region"]')?.getAttribute('aria-label')).toBe('Notifications (F8)');
});

it('is announced at once from a region that every page has, for as long as it is open', () => {
  const layout = readFileSync('site/layouts/PageLayout.astro', 'utf8');
  const regions = document.createElement('div');
  regions.innerHTML = layout.match(/<p [^>]*data-announces=[^>]*><\/p>/g)!.join('');
  document.body.append(regions);
  const announced = (politeness: string) => regions.querySelector(`[aria-live=${politeness}]`)!.textContent;
  render(<Toaster />);
  toast({ title: 'Vote Recorded', text: 'Thank you.' });
  expect([announced('polite'), announced('assertive')]).toEqual(['Notifications Vote Recorded Thank you.', '']);
  toast({ title: 'Vote Failed', destructive: true });
  expect([announced('polite'), announced('assertive')]).toEqual(['', 'Notifications Vote Failed']);
  pass(100);
  expect(document.querySelectorAll('[aria-live]')).toHaveLength(2);
  act(() => dismissFailure());
  expect(regions.textContent).toBe('');
  regions.remove();
});

it('shows an icon before the text', () => {
  render(<Toaster />);
  act(() => toast({ title: 'Badge earned', icon: <svg data-picture /> }));
  expect(shown()[0]?.firstElementChild?.firstElementChild?.hasAttribute('data-picture')).toBe(true);
});

it('a notification that must not replace another learns when that one has closed', async () => {
  vi.useRealTimers();
  const free = vi.fn();
  await toastClosed();
  say('First');
  void toastClosed().then(free);
  say('Second');
  await Promise.resolve();
  expect(free).not.toHaveBeenCalled();
  act(() => currentToast.set({ ...currentToast.get()!, open: false }));
  await Promise.resolve();
  expect(free).toHaveBeenCalledOnce();
});

it('does not cover the protected element, and closes when the visitor scrolls that element under it', () => {
  const ballot = document.createElement('div');
  const box = (left: number, top: number, width: number, height: number) => new DOMRect(left, top, width, height);
  let ballotBox = box(0, 500, innerWidth, 400);
  ballot.getBoundingClientRect = () => ballotBox;
  const measure = vi
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue(box(16, innerHeight - 116, 358, 100));
  render(<Toaster />);
  act(() => toast({ title: 'Vote Recorded', clearOf: [ballot] }));
  expect(shown()[0]!.parentElement!.dataset.place).toBe('top-end');

  act(() => toast({ title: 'Vote Recorded', text: 'Again.', clearOf: [ballot] }));
  expect(shown().map((item) => item.textContent)).toEqual(['Vote RecordedAgain.']);
  expect(shown()[0]!.parentElement!.dataset.place).toBe('top-end');

  measure.mockReturnValue(box(16, 16, 358, 100));
  fireEvent.scroll(window);
  expect(currentToast.get()?.open).toBe(true);
  ballotBox = box(0, 100, 390, 400);
  // The focus that a vote moves scrolls, too.
  fireEvent.scroll(window);
  expect(currentToast.get()?.open).toBe(true);
  fireEvent.wheel(window);
  fireEvent.scroll(window);
  expect(currentToast.get()?.open).toBe(false);
  measure.mockRestore();

  say('Another');
  expect(shown()[0]!.parentElement!.dataset.place).toBeUndefined();
});

it('covers as few controls of a phone’s page as possible', async () => {
  vi.useRealTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const page = document.body.appendChild(document.createElement('main'));
  page.innerHTML = '<button>Share</button>';
  page.querySelector('button')!.getBoundingClientRect = () => new DOMRect(20, innerHeight - 80, 100, 44);
  const measure = vi
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue(new DOMRect(16, innerHeight - 116, innerWidth - 32, 100));
  render(<Toaster />);
  say('Vote Recorded');
  await vi.waitFor(() => expect(shown()[0]!.parentElement!.dataset.place).toMatch(/^top/));
  measure.mockRestore();
  page.remove();
  vi.unstubAllGlobals();
});

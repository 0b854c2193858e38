/**
 * Tooltips for elements with a `data-tooltip` text. They open after a delay under the pointer, or immediately on
 * keyboard focus, on a tap or click, or shortly after another one closed; they stay open under the pointer and close on Escape.
 * The delays (milliseconds) are attributes of the body, so this script doesn’t import the limits.
 */
const { tooltipDelay, tooltipSkip } = document.body.dataset;
const openDelay = Number(tooltipDelay);
const skipDelay = Number(tooltipSkip);
/** Milliseconds to move the pointer from the element to its tooltip. */
const leaveDelay = 120;

let bubble: HTMLElement | undefined;
let owner: HTMLElement | undefined;
/** It was opened by a tap or click, after which the page may still be scrolling. */
let wasTapped = false;
let timer: number | undefined;
let closedAt = -Infinity;

function ownerOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-tooltip]') ?? undefined) : undefined;
}

function later(action: () => void, delay: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(action, delay);
}

function makeBubble(): HTMLElement {
  const element = document.createElement('div');
  element.id = 'tooltip';
  element.className = 'tooltip';
  element.role = 'tooltip';
  element.popover = 'manual';
  document.body.append(element);
  return element;
}

function open(target: HTMLElement, byTap = false): void {
  close();
  wasTapped = byTap;
  bubble ??= makeBubble();
  owner = target;
  bubble.textContent = target.dataset.tooltip ?? '';
  target.setAttribute('aria-describedby', bubble.id);
  bubble.showPopover();
  place(bubble, target);
}

function place(bubble: HTMLElement, target: HTMLElement): void {
  const at = target.getBoundingClientRect();
  const own = bubble.getBoundingClientRect();
  const gap = 8;
  const above = at.top - own.height - gap;
  const centered = at.left + at.width / 2 - own.width / 2;
  bubble.style.top = `${above > gap ? above : at.bottom + gap}px`;
  bubble.style.left = `${Math.max(gap, Math.min(centered, document.documentElement.clientWidth - own.width - gap))}px`;
}

function close(): void {
  clearTimeout(timer);
  if (owner === undefined) return;
  owner.removeAttribute('aria-describedby');
  owner = undefined;
  bubble?.hidePopover();
  closedAt = performance.now();
}

document.addEventListener('pointerover', (event) => {
  if (event.pointerType === 'touch') return;
  const over = ownerOf(event.target);
  if (over === undefined ? event.target === bubble : over === owner) clearTimeout(timer);
  else if (over !== undefined) later(() => open(over), performance.now() - closedAt < skipDelay ? 0 : openDelay);
  else if (owner !== undefined) later(close, leaveDelay);
  else clearTimeout(timer);
});

document.addEventListener('focusin', (event) => {
  // A link around a time has the focus in its place.
  const inside = event.target instanceof HTMLAnchorElement ? event.target.querySelector('[data-tooltip]') : null;
  const focused = ownerOf(event.target) ?? ownerOf(inside);
  if (focused?.closest(':focus-visible') || focused?.querySelector(':focus-visible')) open(focused);
  else close();
});
document.addEventListener('focusout', close);
document.addEventListener('pointerdown', close);
// What does something else when it is pressed shows its tooltip only under the pointer; a time in a link shows both.
document.addEventListener('click', (event) => {
  const pressed = ownerOf(event.target);
  if (pressed && (pressed.localName === 'time' || pressed.closest('a, button') === null)) open(pressed, true);
});
// Focusing may scroll the element into view, which must not close its tooltip.
const follow = () =>
  bubble && owner && (wasTapped || owner.closest(':focus-visible')) ? place(bubble, owner) : close();
document.addEventListener('scroll', follow, { capture: true, passive: true });
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
});

export {};

/** Milliseconds in which a component can move the focus itself. */
const graceMs = 100;

const parts = 'li, article, section, dialog, main';

/**
 * When the element with the focus disappears, such as a button that was just pressed, moves the focus to the closest part of
 * the page that is left: on `body`, keyboards and screen readers would start again at the top.
 */
export function keepFocus(): void {
  /** The element with the focus and its ancestors, from the inside out. */
  let path: readonly Element[] = [];
  const isGone = () => path[0]?.isConnected === false && document.activeElement === document.body;
  const moveFocus = () => {
    if (!isGone()) return;
    const left = path.find((element) => element.isConnected && element.matches(parts));
    path = [];
    if (!(left instanceof HTMLElement)) return;
    if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
    left.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', (event) => {
    path = event.composedPath().filter((target) => target instanceof Element);
  });
  document.addEventListener('focusout', ({ target }) => {
    // Some browsers send this event while they remove the element.
    queueMicrotask(() => {
      if (path[0] === target && path[0]?.isConnected) path = [];
    });
  });
  new MutationObserver(() => {
    if (isGone()) setTimeout(moveFocus, graceMs);
  }).observe(document, { childList: true, subtree: true });
}

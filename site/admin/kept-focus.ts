import { useEffect } from 'react';
import type { RefObject } from 'react';

/**
 * Keeps the keyboard’s place: when an action removes or disables what has the focus, and nothing else takes it, the focus
 * moves to the nearest heading around it, at last that of the page.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const page = root.current;
    if (page === null) return;
    let focused: HTMLElement | null = null;
    // Innermost first. What is removed is asked before: afterwards it is nowhere.
    let around: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      around = [];
      for (let next: HTMLElement | null = target; next !== null && page.contains(next); next = next.parentElement)
        around.push(next);
    };
    // Whoever presses beside the focused element has left it.
    const forget = () => {
      focused = null;
    };
    const restore = () => {
      if (focused === null || (focused.isConnected && !focused.matches(':disabled'))) return;
      if (document.activeElement !== document.body && document.activeElement !== focused) return;
      focused = null;
      const headings = around
        .filter(({ isConnected }) => isConnected)
        .flatMap((element) => element.querySelector<HTMLElement>(':is(h1, h2, h3)[tabindex="-1"]') ?? []);
      headings[0]?.focus();
    };
    const observer = new MutationObserver(restore);
    observer.observe(page, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    page.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      page.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
    };
  }, [root]);
}

import { useEffect } from 'react';
import type { RefObject } from 'react';

/**
 * Keeps the focus on the page: when an action removes or disables the control that had it, the heading of its section gets
 * the focus, or the page’s own; when a form that was submitted has invalid fields, the first of them.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current!;
    let last: HTMLElement | null = null;
    let heading: HTMLElement | null | undefined;
    let submitted: HTMLFormElement | null = null;

    const isGone = (element: HTMLElement) => !element.isConnected || element.matches(':disabled');
    const restore = () => {
      const invalid = submitted?.querySelector<HTMLElement>('[aria-invalid]');
      if (invalid) {
        submitted = null;
        invalid.focus();
      }
      if (last === null || document.activeElement !== document.body || !isGone(last)) return;
      last = null;
      (heading?.isConnected ? heading : root.querySelector('h1'))?.focus();
    };
    const listeners: Partial<{ [Type in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Type]) => void }> = {
      focusin({ target }) {
        last = target as HTMLElement;
        heading = last.closest('section:has(h2[tabindex])')?.querySelector<HTMLElement>('h2[tabindex]');
      },
      // Somebody who pressed elsewhere is not looking for the focus.
      focusout: ({ target }) =>
        queueMicrotask(() => {
          if (document.activeElement === document.body && last === target && !isGone(last!)) last = null;
        }),
      submit({ target }) {
        submitted = target as HTMLFormElement;
        queueMicrotask(restore);
      },
      input() {
        submitted = null;
      },
    };
    const controller = new AbortController();
    for (const [type, listener] of Object.entries(listeners))
      root.addEventListener(type, listener as EventListener, { signal: controller.signal });
    const observer = new MutationObserver(restore);
    const attributeFilter = ['disabled', 'aria-invalid'];
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter });
    return () => {
      controller.abort();
      observer.disconnect();
    };
  }, [page]);
}

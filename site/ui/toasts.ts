import { toastTexts } from '#texts/shell.ts';
import { currentToast, dismissToast } from './toast-store.ts';
import type { ToastMessage } from './toast-store.ts';

export { currentToast };
export type { ToastMessage };

/**
 * A screen reader misses a live region that arrives with its text, or is gone before it was read. So these are in every
 * page from the start (layouts/PageLayout.astro), and have the text while the notification is open.
 */
currentToast.listen((shown) => {
  for (const region of document.querySelectorAll<HTMLElement>('[data-announces]')) {
    const isIts = shown?.open && region.dataset.announces === (shown.destructive ? 'failures' : 'successes');
    region.textContent = isIts ? [toastTexts.region, shown.title, shown.text].filter(Boolean).join(' ') : '';
  }
});

/** Closes an error notification whose cause is no longer on screen. */
export function dismissFailure(): void {
  const shown = currentToast.get();
  if (shown?.destructive) dismissToast(shown.id);
}

/** Resolves when no notification is on screen, for one that must not replace another. */
export function toastClosed(): Promise<void> {
  return new Promise((resolve) => {
    if (!currentToast.get()?.open) {
      resolve();
      return;
    }
    const unsubscribe = currentToast.listen((toast) => {
      if (toast?.open) return;
      unsubscribe();
      resolve();
    });
  });
}

let lastId = 0;
let mounted: Promise<unknown> | undefined;

/** Shows a notification, from an island or a plain script. The first one loads React and the toaster. */
export function toast(message: ToastMessage): void {
  currentToast.set({ ...message, id: ++lastId, open: true });
  mounted ??= import('./mount-toaster.tsx').catch((error: unknown) => {
    // The browser may be offline; the next notification tries again.
    mounted = undefined;
    console.warn('Could not load the notifications.', error);
  });
}

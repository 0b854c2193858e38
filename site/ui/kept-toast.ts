import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';

const key = 'weathervane-toast';

/** Keeps a notification for the page that this one is about to lead to. */
export function keepToast(message: Omit<ToastMessage, 'icon'>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(message));
  } catch {
    // Without storage the next page simply says nothing.
  }
}

/** Shows what the page before has kept, once. */
export function showKeptToast(): void {
  try {
    const kept = sessionStorage.getItem(key);
    if (kept === null) return;
    sessionStorage.removeItem(key);
    toast(JSON.parse(kept) as ToastMessage);
  } catch {
    // Nothing was kept, or nothing that can be read.
  }
}

import { readKeptToast, saveKeptToast } from './kept-toast-storage.ts';
import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';

/** Stores a notification for the next page. */
export function keepToast(message: Omit<ToastMessage, 'icon'>): void {
  saveKeptToast(JSON.stringify(message));
}

/** Shows the notification stored by the previous page, once. */
export function showKeptToast(): void {
  const kept = readKeptToast();
  if (kept === null) return;
  saveKeptToast(null);
  try {
    toast(JSON.parse(kept) as ToastMessage);
  } catch {
    // The stored text is not JSON.
  }
}

import { readStoredToast, saveStoredToast } from './stored-toast-storage.ts';
import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';

/** Stores a notification for the next page. */
export function keepToast(message: Omit<ToastMessage, 'icon'>): void {
  saveStoredToast(JSON.stringify(message));
}

/** Shows the notification stored by the previous page, once. */
export function showStoredToast(): void {
  const kept = readStoredToast();
  if (kept === null) return;
  saveStoredToast(null);
  try {
    toast(JSON.parse(kept) as ToastMessage);
  } catch {
    // The stored text is not JSON.
  }
}

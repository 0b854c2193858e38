import { readKeptToast, saveKeptToast } from './kept-toast-storage.ts';
import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';

/** Keeps a notification for the page that this one is about to lead to. */
export function keepToast(message: Omit<ToastMessage, 'icon'>): void {
  saveKeptToast(JSON.stringify(message));
}

/** Shows what the page before has kept, once. */
export function showKeptToast(): void {
  const kept = readKeptToast();
  if (kept === null) return;
  saveKeptToast(null);
  try {
    toast(JSON.parse(kept) as ToastMessage);
  } catch {
    // Nothing that can be read.
  }
}

import { atom } from 'nanostores';
import type { ReactNode } from 'react';

/** What a notification says. */
export interface ToastMessage {
  readonly title: string;
  readonly text?: string | undefined;
  /** Something failed. */
  readonly destructive?: boolean;
  /** A picture before the words, which say the same. */
  readonly icon?: ReactNode;
}

/** A notification on screen (`open`) or dismissed and not yet removed. */
export interface Toast extends ToastMessage {
  readonly id: number;
  readonly open: boolean;
}

/** The one notification there is; a new one takes the place of the last. */
export const currentToast = atom<Toast | null>(null);

/** Closes a notification; it stays in the store, closed, until its removal. */
export function dismissToast(id: number): void {
  const shown = currentToast.get();
  if (shown?.id === id && shown.open) currentToast.set({ ...shown, open: false });
}

/** Closes a notification of a failure: what failed is no longer on screen. */
export function dismissFailure(): void {
  const shown = currentToast.get();
  if (shown?.destructive) dismissToast(shown.id);
}

/** Resolves when no notification is on screen, for one that can wait: it takes no other one's place. */
export function toastPlaceFree(): Promise<void> {
  return new Promise((resolve) => {
    if (!currentToast.get()?.open) {
      resolve();
      return;
    }
    const stop = currentToast.listen((toast) => {
      if (toast?.open) return;
      stop();
      resolve();
    });
  });
}

let lastId = 0;
let mounted: Promise<unknown> | undefined;

/** Shows a notification, from an island or a plain script. React and the toaster are loaded by the first one. */
export function toast(message: ToastMessage): void {
  currentToast.set({ ...message, id: ++lastId, open: true });
  mounted ??= import('./mount-toaster.tsx').catch((error: unknown) => {
    // Offline, perhaps: the next notification tries again.
    mounted = undefined;
    console.warn('Could not load the notifications.', error);
  });
}

import { atom } from 'nanostores';
import type { ReactNode } from 'react';

/** The content of a notification. */
export interface ToastMessage {
  readonly title: string;
  readonly text?: string | undefined;
  /** Whether it reports a failure. */
  readonly destructive?: boolean;
  /** A decorative picture before the text. */
  readonly icon?: ReactNode;
  /** What it must not cover: it moves to another place if necessary, and closes when the visitor scrolls this under it. */
  readonly clearOf?: readonly Element[];
}

/** A notification that is on screen (`open`), or dismissed and not yet removed. */
interface Toast extends ToastMessage {
  readonly id: number;
  readonly open: boolean;
}

/** The current notification; a new one replaces it. */
export const currentToast = atom<Toast | null>(null);

/** Closes a notification; it stays in the store, closed, until it is removed. */
export function dismissToast(id: number): void {
  const shown = currentToast.get();
  if (shown?.id === id && shown.open) currentToast.set({ ...shown, open: false });
}

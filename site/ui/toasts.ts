import { atom } from 'nanostores';

/** What a notification says. */
export interface ToastMessage {
  readonly title: string;
  readonly text?: string | undefined;
  /** Something failed. */
  readonly destructive?: boolean;
}

/** A notification on screen (`open`) or dismissed and not yet removed. */
export interface Toast extends ToastMessage {
  readonly id: number;
  readonly open: boolean;
}

/** The one notification there is; a new one takes the place of the last. */
export const currentToast = atom<Toast | null>(null);

let lastId = 0;
let mounted: Promise<unknown> | undefined;

/** Shows a notification, from an island or a plain script. React and the toaster are loaded by the first one. */
export function toast(message: ToastMessage): void {
  currentToast.set({ ...message, id: ++lastId, open: true });
  mounted ??= import('./mount-toaster.tsx').catch((error: unknown) => {
    // Offline, perhaps: the next notification tries again.
    mounted = undefined;
    console.warn('The notifications could not be loaded.', error);
  });
}

import { shareTexts } from '#texts/sharing.ts';
import { tellLinkCopied } from './link-copied.ts';
import type { ToastMessage } from './toasts.ts';

/** How a try to share ended. `dismissed`: the person closed the system's own sheet. */
export type ShareOutcome = 'shared' | 'dismissed' | 'copied' | 'failed';

/** Hands a link to the system's share sheet where there is one, else to the clipboard, and tells of it. Never throws. */
export async function shareLink(link: { readonly title: string; readonly url: string }): Promise<ShareOutcome> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link);
      tellLinkCopied(link.url);
      return 'shared';
    } catch (error) {
      if ((error as Error).name === 'AbortError') return 'dismissed';
      // Not allowed in this place, perhaps: the clipboard may be.
    }
  }
  if (!(await copyText(link.url))) return 'failed';
  tellLinkCopied(link.url);
  return 'copied';
}

/** Puts a text on the clipboard; false where that is not allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** What is said after a try to share; nothing where the system has said it already. */
export function shareMessage(outcome: ShareOutcome): ToastMessage | null {
  if (outcome === 'copied') return shareTexts.linkCopied;
  return outcome === 'failed' ? { ...shareTexts.linkFailed, destructive: true } : null;
}

/** What is said after a try to copy a text that is not a link. */
export function copyMessage(copied: boolean): ToastMessage {
  return copied ? shareTexts.copied : { ...shareTexts.copyFailed, destructive: true };
}

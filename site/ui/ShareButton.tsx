import { shareTexts } from '#texts/sharing.ts';
import { toast } from './toasts.ts';
import type { ToastMessage } from './toasts.ts';
import { dispatchLinkCopied } from './visit-event.ts';

interface ShareButtonProps {
  readonly title: string;
  readonly url: string;
  /** Whether the island is hydrated; before that a click would be lost. */
  readonly ready: boolean;
  readonly className?: string | undefined;
}

/** Passes a link to the system's share sheet, or copies it if there is none. ShareButton.astro does the same without React. */
export function ShareButton({ title, url, ready, className = '' }: ShareButtonProps) {
  const handleClick = async () => {
    const message = shareMessage(await shareLink({ title, url }));
    if (message !== null) toast(message);
  };
  return (
    <button
      type="button"
      className={`button js-only ${className}`}
      disabled={!ready}
      onClick={() => void handleClick()}
    >
      {shareTexts.share}
    </button>
  );
}

/** How sharing ended. `dismissed`: the visitor closed the system's share sheet. */
type ShareOutcome = 'shared' | 'dismissed' | 'copied' | 'failed';

/** Passes a link to the system's share sheet if there is one, else copies it. Never throws. */
export async function shareLink(link: { readonly title: string; readonly url: string }): Promise<ShareOutcome> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(link);
      dispatchLinkCopied(link.url, 'system');
      return 'shared';
    } catch (error) {
      if ((error as Error).name === 'AbortError') return 'dismissed';
      // Sharing may be blocked here while the clipboard is not.
    }
  }
  if (!(await copyText(link.url))) return 'failed';
  dispatchLinkCopied(link.url, 'copy');
  return 'copied';
}

/** Copies a text to the clipboard; false if that is not allowed. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The notification after sharing; null if the system already showed one. */
export function shareMessage(outcome: ShareOutcome): ToastMessage | null {
  if (outcome === 'copied') return shareTexts.linkCopied;
  return outcome === 'failed' ? { ...shareTexts.linkFailed, destructive: true } : null;
}

/** The notification after copying a text other than a link. */
export function copyMessage(copied: boolean): ToastMessage {
  return copied ? shareTexts.copied : { ...shareTexts.copyFailed, destructive: true };
}

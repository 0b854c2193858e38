import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { copyLinkTexts } from '#texts/copy-link.ts';
import { toast } from './toasts.ts';

/** Copies an address to the clipboard and says so; `copied` is true for two seconds after. */
export function useCopyLink(url: string): { readonly copied: boolean; readonly copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), limits.copiedIndicatorMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
      toast(copyLinkTexts.copiedToast);
    } catch {
      toast({ ...copyLinkTexts.failedToast, destructive: true });
    }
  };

  return { copied, copy };
}

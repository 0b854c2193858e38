import { useEffect, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { pollTexts } from '#texts/polls.ts';
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
      toast({ title: pollTexts.toasts.copiedTitle, text: pollTexts.toasts.copiedText });
    } catch {
      toast({ title: pollTexts.toasts.copyFailedTitle, text: pollTexts.toasts.copyFailedText, destructive: true });
    }
  };

  return { copied, copy };
}

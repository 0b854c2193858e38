import { useEffect, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { copyLinkTexts } from '#texts/sharing.ts';
import { tellLinkCopied } from './link-copied.ts';
import { toast } from './toasts.ts';

type CopyOutcome = 'none' | 'copied' | 'failed';

/** Copies an address to the clipboard and says so; `copied` is true for two seconds after. */
export function useCopyLink(url: string): {
  readonly copied: boolean;
  /** The last try did not work. */
  readonly failed: boolean;
  readonly copy: () => Promise<void>;
} {
  const [outcome, setOutcome] = useState<CopyOutcome>('none');

  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(() => setOutcome('none'), limits.copiedIndicatorMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setOutcome('copied');
      tellLinkCopied(url);
      toast(copyLinkTexts.copiedToast);
    } catch {
      setOutcome('failed');
      toast({ ...copyLinkTexts.failedToast, destructive: true });
    }
  };

  return { copied: outcome === 'copied', failed: outcome === 'failed', copy };
}

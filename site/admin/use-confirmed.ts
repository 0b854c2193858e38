import { useState } from 'react';
import { toast } from '#site/ui/toasts.ts';
import type { ToastMessage } from '#site/ui/toasts.ts';
import { sentenceOf } from './admin-session.ts';
import { lookAgain } from './use-managing.ts';

/**
 * Does what a dialog asked about: `confirm` closes it with the notification that the deed answers, or shows in it what
 * went wrong. Either way the lists of the page are asked for again.
 */
export function useConfirmed(onClose: () => void) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async (deed: () => Promise<ToastMessage>) => {
    setPending(true);
    setProblem(null);
    try {
      toast(await deed());
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setPending(false);
    await lookAgain();
  };
  return { pending, problem, setProblem, confirm };
}

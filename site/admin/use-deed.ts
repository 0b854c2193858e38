import { useState } from 'react';
import { toast } from '#site/ui/toasts.ts';
import { adminToasts } from '#texts/admin.ts';
import { sentenceOf } from './admin-session.ts';

/** Does one thing at a time and says so when it failed; `pending` names what is being done. */
export function useDeed() {
  const [pending, setPending] = useState<string | null>(null);
  const run = async (name: string, deed: () => Promise<unknown>) => {
    if (pending !== null) return;
    setPending(name);
    try {
      await deed();
    } catch (error) {
      toast({ title: adminToasts.failed, text: sentenceOf(error), destructive: true });
    } finally {
      setPending(null);
    }
  };
  return { pending, run };
}

import { useCallback, useEffect, useState } from 'react';
import { toast } from '#site/ui/toasts.ts';
import { createPollTexts } from '#texts/community.ts';
import { storedDraft } from './create-poll-storage.ts';

type Part = typeof import('./CreatePoll.tsx').CreatePoll;

/** The form that makes a poll: not there, on its way, or open. */
export type CreatePollPart =
  | { readonly step: 'hidden' | 'loading' }
  | { readonly step: 'open'; readonly Part: Part; readonly userId: string; readonly byHand: boolean };

const hidden: CreatePollPart = { step: 'hidden' };

/**
 * Opens and closes the form. Its code is loaded by the first one who opens it: most readers never do. A form that was
 * open when the page was left opens again for the same member.
 */
export function useCreatePollPart(userId: string | null) {
  const [part, setPart] = useState<CreatePollPart>(hidden);

  const load = useCallback(async (forWhom: string, byHand: boolean) => {
    setPart({ step: 'loading' });
    try {
      const { CreatePoll } = await import('./CreatePoll.tsx');
      setPart({ step: 'open', Part: CreatePoll, userId: forWhom, byHand });
    } catch (error) {
      // Offline, perhaps: the next press tries again.
      console.warn('Could not load the form for community polls.', error);
      setPart(hidden);
      toast({ title: createPollTexts.failedTitle, text: createPollTexts.loadFailed, destructive: true });
    }
  }, []);

  useEffect(() => {
    if (userId !== null && storedDraft(userId)?.open) void load(userId, false);
  }, [userId, load]);

  // Another member has signed in meanwhile: the form is not theirs.
  const theirs = part.step === 'open' && userId !== null && userId !== part.userId;
  return {
    part: theirs ? hidden : part,
    open: () => {
      if (userId !== null) void load(userId, true);
    },
    close: () => setPart(hidden),
  };
}

import { useMutation } from '@tanstack/react-query';
import type { CommunityPoll, NewCommunityPoll } from '#contract/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { createPollTexts as texts } from '#texts/community.ts';

/** A poll to be made, and the Idempotency-Key of its draft. */
export interface KeyedPoll {
  readonly body: NewCommunityPoll;
  readonly idempotencyKey: string;
}

/** Makes a poll; says that it is made or why it is not. */
export function useCreatePoll(events: {
  readonly onMade: (poll: CommunityPoll) => void;
  readonly onRefused: (error: Error) => void;
}) {
  return useMutation<CommunityPoll, Error, KeyedPoll>(
    {
      mutationFn: (poll) => callApi('createCommunityPoll', poll),
      onSuccess: (poll) => {
        toast({ title: texts.created });
        events.onMade(poll);
      },
      onError: (error) => {
        const text = isSessionOver(error) ? texts.failed : failureText(error, texts.failed);
        toast({ title: texts.failedTitle, text, destructive: true });
        events.onRefused(error);
      },
    },
    queryClient(),
  );
}

/** Nobody is signed in any more. */
export function isSessionOver(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** What the form adds to the notification of a poll that was not made. */
export function notMadeText(error: Error): string {
  return isSessionOver(error) ? texts.signedOut : failureNote(error, texts.draftKept);
}

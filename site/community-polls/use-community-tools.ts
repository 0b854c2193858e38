import { useMutation } from '@tanstack/react-query';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { adopt } from './use-community-vote.ts';

const texts = communityPollTexts;

/** Something that the creator does with the own poll. */
export interface Deed {
  readonly run: () => void;
  readonly pending: boolean;
  readonly problem: string | null;
  /** Forgets the problem. */
  readonly reset: () => void;
}

/** Closes the own poll before its end. */
export function useClosePoll(pollId: string, onDone: () => void): Deed {
  const { mutate, reset, isPending, error } = useMutation<CommunityPoll>(
    {
      mutationFn: () => callApi('closeCommunityPoll', { params: { id: pollId } }),
      onSuccess: async (closed) => {
        await adopt(closed);
        onDone();
        toast({ title: texts.toasts.closed, text: texts.toasts.closedText });
      },
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    pending: isPending,
    problem: error && failureSentence(error, texts.tools.failed),
    reset,
  };
}

/** Deletes the own poll; `onDone` leaves its page. */
export function useDeletePoll(pollId: string, onDone: () => void): Deed {
  const { mutate, reset, isPending, isSuccess, error } = useMutation(
    {
      mutationFn: () => callApi('deleteCommunityPoll', { params: { id: pollId } }),
      onSuccess: onDone,
    },
    queryClient(),
  );
  return {
    run: () => mutate(),
    // Pending until the page is left.
    pending: isPending || isSuccess,
    problem: error && failureSentence(error, texts.tools.failed),
    reset,
  };
}

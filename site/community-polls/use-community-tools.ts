import { useMutation } from '@tanstack/react-query';
import type { CommunityPoll } from '#contract/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { adopt } from './use-community-vote.ts';

const texts = communityPollTexts;

/** Why the service did not do what the creator wanted, in words fit to be shown. */
export function sayRefusal(error: Error, otherwise: string): string {
  return (error instanceof ApiError ? error.serverMessage : undefined) ?? otherwise;
}

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
    problem: error && sayRefusal(error, texts.tools.failed),
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
    problem: error && sayRefusal(error, texts.tools.failed),
    reset,
  };
}

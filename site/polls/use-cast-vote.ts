import { useMutation } from '@tanstack/react-query';
import type { Poll } from '#contract/poll.ts';
import { offeredOptions } from '#domain/poll-results.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { tellVisitEvent } from '#site/ui/visit-event.ts';
import { pollTexts } from '#texts/polls.ts';

/** Shows a poll as the server now sees it wherever this page shows it. */
async function adopt(poll: Poll): Promise<void> {
  const client = queryClient();
  const both = [queryKeys.activePolls, queryKeys.poll(poll.id)];
  // An answer that was on its way before the vote must not undo it on the screen.
  await Promise.all(both.map((queryKey) => client.cancelQueries({ queryKey })));
  client.setQueriesData<readonly Poll[]>({ queryKey: queryKeys.activePolls }, (polls) =>
    polls?.map((other) => (other.id === poll.id ? poll : other)),
  );
  client.setQueriesData<Poll>({ queryKey: queryKeys.poll(poll.id) }, () => poll);
}

function refreshLists(): void {
  const client = queryClient();
  void client.invalidateQueries({ queryKey: queryKeys.activePolls });
  void client.invalidateQueries({ queryKey: queryKeys.statistics });
}

function isPoll(value: unknown, id: string): value is Poll {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === id;
}

/** What the server told about the poll while it refused a vote; null where the poll is unchanged. */
function learnedFrom(error: ApiError, poll: Poll): Poll | null {
  if (error.code === 'ALREADY_VOTED') {
    if (isPoll(error.body?.poll, poll.id)) return error.body.poll;
    return { ...poll, hasVoted: true, userVote: error.body?.userVote ?? null };
  }
  return error.code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}

/** Casting one vote on a poll: where it stands, and what the card adds to the notification of a failure. */
export interface CastVote {
  readonly cast: (optionId: string) => void;
  readonly pending: boolean;
  /** The vote was accepted while this page was open. */
  readonly fresh: boolean;
  readonly problem: string | null;
}

/** Casts a vote; the answer is the poll as this voter now sees it, and lists and figures are refreshed after it. */
export function useCastVote(poll: Poll): CastVote {
  const { mutate, isPending, isSuccess, error } = useMutation<Poll, Error, string>(
    {
      mutationFn: (optionId) => callApi('vote', { params: { id: poll.id }, body: { optionId } }),
      onSuccess: async (voted) => {
        tellVisitEvent('vote');
        await adopt(voted);
        refreshLists();
        toast({ title: pollTexts.toasts.recordedTitle, text: pollTexts.toasts.recordedText });
      },
      onError: async (failure) => {
        const text = failureText(failure, pollTexts.toasts.failedText);
        toast({ title: pollTexts.toasts.failedTitle, text, destructive: true });
        const learned = failure instanceof ApiError ? learnedFrom(failure, poll) : null;
        if (learned !== null) await adopt(learned);
      },
    },
    queryClient(),
  );
  return {
    cast: (optionId) => {
      if (isPending || poll.hasVoted || !offeredOptions(poll.options).some(({ id }) => id === optionId)) return;
      mutate(optionId);
    },
    pending: isPending,
    fresh: isSuccess,
    problem: error && failureNote(error, pollTexts.card.choiceKept),
  };
}

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { tellVisitEvent } from '#site/ui/visit-event.ts';
import { communityPollTexts as texts } from '#texts/community-poll.ts';

/** Shows a poll as the server now sees it wherever this page shows it. */
export async function adopt(poll: CommunityPoll): Promise<void> {
  const queryKey = queryKeys.communityPoll(poll.id);
  // An answer that was on its way before the change must not undo it on the screen.
  await queryClient().cancelQueries({ queryKey });
  queryClient().setQueryData<CommunityPoll>(queryKey, (known) => ({
    ...poll,
    // Votes are answered with texts of some seconds ago; the discussion must not lose its newest comments for that long.
    commentCount: known?.commentCount ?? poll.commentCount,
  }));
}

function isPoll(value: unknown, id: string): value is CommunityPoll {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === id;
}

/** What the server told about the poll while it refused a vote; null where the poll is unchanged. */
function learnedFrom(error: Error, poll: CommunityPoll): CommunityPoll | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'ALREADY_VOTED') {
    if (isPoll(error.body?.poll, poll.id)) return error.body.poll;
    return { ...poll, hasVoted: true, userVote: error.body?.userVote ?? null };
  }
  return error.code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}

/** Casting one vote: where it stands, and what the form adds to the notification of a failure. */
export interface CommunityVote {
  readonly cast: (optionId: string) => void;
  readonly pending: boolean;
  /** The poll with the vote in it, as it was answered: the vote was accepted while this page was open. */
  readonly recorded: CommunityPoll | undefined;
  readonly problem: string | null;
}

/** Casts a vote; the answer is the poll as this voter now sees it. */
export function useCommunityVote(poll: CommunityPoll): CommunityVote {
  const refresh = () => void queryClient().invalidateQueries({ queryKey: queryKeys.communityPoll(poll.id) });
  const { mutate, isPending, data, error } = useMutation<CommunityPoll, Error, string>(
    {
      mutationFn: (optionId) =>
        callApi('communityVote', { params: { id: poll.id }, body: { optionId, voterFingerprint: deviceId() } }),
      onSuccess: async (voted) => {
        tellVisitEvent('vote');
        await adopt(voted);
        toast({ title: texts.toasts.submitted, text: texts.toasts.submittedText });
      },
      onError: async (failure) => {
        const text = failureText(failure, texts.toasts.failed);
        toast({ title: texts.toasts.failedTitle, text, destructive: true });
        const learned = learnedFrom(failure, poll);
        if (learned !== null) await adopt(learned);
        // Counts, a close, or that the poll is gone: the next answer tells.
        if (failure instanceof ApiError && failure.status !== 0) refresh();
      },
    },
    queryClient(),
  );
  return {
    cast: (optionId) => {
      if (!isPending && !poll.hasVoted && poll.options.some(({ id }) => id === optionId)) mutate(optionId);
    },
    pending: isPending,
    recorded: data,
    problem: error && failureNote(error, texts.voting.choiceKept),
  };
}

/** Whether this voter has voted, asked once when the page wakes up; undefined until then, and where it cannot be told. */
export function useVoteStatus(pollId: string): VoteStatus | undefined {
  const [status, setStatus] = useState<VoteStatus>();

  useEffect(() => {
    const given = new AbortController();
    callApi('communityVoteStatus', {
      params: { id: pollId },
      query: { fingerprint: deviceId() },
      signal: given.signal,
    }).then(setStatus, (error: unknown) => {
      if (!given.signal.aborted) console.warn(texts.unlogged, error instanceof ApiError ? error.status : error);
    });
    return () => given.abort();
  }, [pollId]);

  return status;
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Comment } from '#contract/comment.ts';
import type { CommunityPoll } from '#contract/community-poll.ts';
import * as limits from '#contract/limits.ts';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { signedOut } from '#site/client/auth.tsx';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { toast } from '#site/ui/toasts.ts';
import { commentTexts as texts } from '#texts/comments.ts';
import { countOf, newComments, withNewest, withOlder, withOwn, withoutComment } from './discussion.ts';
import type { Discussion } from './discussion.ts';

/** What the page was rendered with. */
export interface Rendered {
  readonly pollId: string;
  /** How many comments the poll had. */
  readonly count: number;
  /** The newest of them; null where they could not be read. */
  readonly comments: readonly Comment[] | null;
  readonly readAt: string;
}

/** The discussion of one poll, as it stands and as it grows. */
export interface LiveDiscussion {
  readonly count: number;
  /** Undefined while nothing is there to be shown. */
  readonly known: Discussion | undefined;
  /** Comments of others that have come and are not shown yet. */
  readonly waiting: number;
  readonly failed: boolean;
  readonly isFetching: boolean;
  /** Nobody may read here (any more). */
  readonly gone: boolean;
  readonly showNew: () => void;
  readonly showMore: () => void;
  readonly loadingMore: boolean;
  /** The comment that is on its way. */
  readonly posting: string | null;
  /** Posts a trimmed comment with its draft's Idempotency-Key; rejects when it is not kept. */
  readonly post: (content: string, idempotencyKey: string) => Promise<unknown>;
  /** A comment is no more. */
  readonly forget: (commentId: string) => Promise<void>;
}

function closedDoor(error: Error | null): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status);
}

/**
 * Changes what the page shows of a discussion, and the count that the poll's own part of the page keeps. Answers that
 * were on their way before must not undo it on the screen; they are asked for again.
 */
async function change(
  pollId: string,
  how: (discussion: Discussion) => Discussion,
  { by = 0, atOnce }: { readonly by?: number; readonly atOnce?: () => void } = {},
): Promise<void> {
  const client = queryClient();
  const queryKey = queryKeys.comments(pollId);
  const pollKey = queryKeys.communityPoll(pollId);
  const interrupted = client.isFetching({ queryKey }) > 0;
  await Promise.all([client.cancelQueries({ queryKey }), by !== 0 && client.cancelQueries({ queryKey: pollKey })]);
  atOnce?.();
  client.setQueryData<Discussion>(queryKey, (discussion) => discussion && how(discussion));
  client.setQueryData<CommunityPoll>(
    pollKey,
    (poll) => poll && { ...poll, commentCount: Math.max(0, poll.commentCount + by) },
  );
  if (interrupted) void client.refetchQueries({ queryKey });
}

/** Comments of a poll, newest first. The poll's part of the page looks for new ones: it has their number anyway. */
export function useDiscussion({ pollId, count: renderedCount, comments, readAt }: Rendered): LiveDiscussion {
  const client = queryClient();
  const hydrated = useHydrated();
  const params = { id: pollId };
  const queryKey = queryKeys.comments(pollId);
  const pollKey = queryKeys.communityPoll(pollId);
  const [posting, setPosting] = useState<string | null>(null);

  const poll = useQuery<CommunityPoll>(
    { queryKey: pollKey, queryFn: ({ signal }) => callApi('communityPoll', { params, signal }), enabled: false },
    client,
  );
  const {
    data: known,
    error,
    isFetching,
    refetch,
  } = useQuery<Discussion>(
    {
      queryKey,
      queryFn: async ({ signal }) => {
        const newest = await callApi('comments', { params, query: { limit: limits.commentPageSize }, signal });
        const total = client.getQueryData<CommunityPoll>(pollKey)?.commentCount ?? renderedCount;
        return withNewest(client.getQueryData<Discussion>(queryKey), newest, total);
      },
      ...(comments !== null && {
        initialData: { comments, more: comments.length < renderedCount, total: renderedCount },
        initialDataUpdatedAt: Date.parse(readAt),
      }),
      // What a page has is the same for every reader: whose comments they are, only the service knows.
      refetchOnMount: () => (typeof document !== 'undefined' && hasAccountHint() ? 'always' : comments === null),
    },
    client,
  );
  const live = hydrated ? (poll.data?.commentCount ?? (known && countOf(known))) : undefined;
  const polled = live ?? renderedCount;
  const unseen = known && hydrated ? newComments(known, polled) : 0;
  const count = known && hydrated && unseen === 0 ? countOf(known) : polled;
  // An empty list has no place to keep, so its first comments need no button.
  const firstOnTheWay = unseen > 0 && known?.comments.length === 0;

  // Comments that are gone go at once. Only a new count is a reason to look, or a wrong one would never end.
  useEffect(() => {
    if (unseen < 0 || firstOnTheWay) void refetch();
  }, [polled]);

  const more = useMutation<readonly Comment[], Error, string>(
    {
      mutationFn: (before) => callApi('comments', { params, query: { limit: limits.commentPageSize, before } }),
      onSuccess: (older) => change(pollId, (discussion) => withOlder(discussion, older)),
      onError: (failure) =>
        toast({ title: texts.fetchFailed, text: failureText(failure, texts.fetchFailedText), destructive: true }),
    },
    client,
  );
  const post = useMutation<Comment, Error, { readonly content: string; readonly idempotencyKey: string }>(
    {
      mutationFn: ({ content, idempotencyKey }) =>
        callApi('createComment', { params, body: { content }, idempotencyKey }),
      onMutate: ({ content }) => setPosting(content),
      onSuccess: async (comment) => {
        // A repeated request may be answered with a comment that has been read meanwhile.
        const listed = client.getQueryData<Discussion>(queryKey)?.comments.some(({ id }) => id === comment.id);
        const by = listed ? 0 : 1;
        await change(pollId, (discussion) => withOwn(discussion, comment), { by, atOnce: () => setPosting(null) });
        // Without a list there was nothing to add it to.
        if (client.getQueryData(queryKey) === undefined) void refetch();
        toast({ title: texts.toasts.posted });
      },
      onError: (failure) => {
        if (failure instanceof ApiError && failure.code === 'UNAUTHENTICATED') {
          toast({ title: texts.authenticationTitle, text: texts.authenticationText, destructive: true });
          signedOut();
        } else {
          const text = failureSentence(failure, texts.toasts.postFailed);
          toast({ title: texts.toasts.postFailedTitle, text, destructive: true });
        }
      },
      onSettled: () => setPosting(null),
    },
    client,
  );

  return {
    count: count + (posting === null ? 0 : 1),
    known: firstOnTheWay ? undefined : known,
    waiting: firstOnTheWay ? 0 : Math.max(0, unseen - (posting === null ? 0 : 1)),
    failed: error !== null,
    isFetching,
    gone: closedDoor(poll.error) || closedDoor(error),
    showNew: () => void refetch(),
    showMore: () => {
      const oldest = known?.comments.at(-1);
      if (oldest && !more.isPending) more.mutate(oldest.id);
    },
    loadingMore: more.isPending,
    posting,
    post: (content, idempotencyKey) => post.mutateAsync({ content, idempotencyKey }),
    forget: (commentId) => change(pollId, (discussion) => withoutComment(discussion, commentId), { by: -1 }),
  };
}

import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Comment, NewComment } from '#api/comments/comments.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { signedOut } from '#site/client/auth.tsx';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { toast } from '#site/ui/toasts.ts';
import { commentTexts as texts } from '#texts/comments.ts';
import type { Discussion, Person } from './discussion.ts';
import { asRendered, countOf, findComment, newComments, peopleOf, unloadedReplies } from './discussion.ts';
import { withEdited, withHidden, withNewest, withOlder, withOwn, withReplies, withoutComment } from './discussion.ts';

/** The discussion at the time of rendering. */
export interface RenderedDiscussion {
  readonly pollId: string;
  /** How many comments the poll had. */
  readonly count: number;
  /** The newest of them; null if they could not be loaded. */
  readonly comments: readonly Comment[] | null;
  readonly readAt: string;
}

/** The discussion of one poll, kept up to date. */
export interface LiveDiscussion {
  readonly count: number;
  /** Undefined while loading. */
  readonly loaded: Discussion | undefined;
  /** How many new comments are not shown yet. */
  readonly waiting: number;
  readonly failed: boolean;
  readonly isFetching: boolean;
  /** The poll is gone or no longer accessible. */
  readonly inaccessible: boolean;
  readonly showNew: () => void;
  readonly showMore: () => void;
  readonly loadingMore: boolean;
  /** The comment or reply being posted. */
  readonly posting: NewComment | null;
  /** Posts a trimmed comment with its draft’s Idempotency-Key; rejects if it isn’t saved. */
  readonly post: (comment: NewComment, idempotencyKey: string) => Promise<unknown>;
  /** Saves the new text of a comment; rejects if it isn’t saved. */
  readonly edit: (commentId: string, content: string) => Promise<unknown>;
  readonly editing: boolean;
  readonly showReplies: (comment: Comment) => void;
  readonly loadingReplies: boolean;
  /** Removes a deleted comment from the cache. */
  readonly removeFromCache: (commentId: string) => Promise<void>;
  /** Marks a comment in the cache as hidden by the creator, or not. */
  readonly hideInCache: (commentId: string, hidden: boolean) => Promise<void>;
  /** Whom a comment can mention. */
  readonly people: readonly Person[];
  /** Members can comment, as far as is known. */
  readonly isOpen: boolean;
}

function isInaccessible(error: Error | null): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status);
}

/**
 * Updates the cached discussion and the poll’s comment count. Requests in flight are canceled, because their responses
 * would undo the change, and repeated.
 */
async function updateCache(
  pollId: string,
  update: (discussion: Discussion) => Discussion,
  { by = 0, beforeUpdate }: { readonly by?: number; readonly beforeUpdate?: () => void } = {},
): Promise<void> {
  const client = queryClient();
  const queryKey = queryKeys.comments(pollId);
  const pollKey = queryKeys.poll(pollId);
  const interrupted = client.isFetching({ queryKey }) > 0;
  await Promise.all([client.cancelQueries({ queryKey }), by !== 0 && client.cancelQueries({ queryKey: pollKey })]);
  beforeUpdate?.();
  client.setQueryData<Discussion>(queryKey, (discussion) => discussion && update(discussion));
  client.setQueryData<CommunityPoll>(
    pollKey,
    (poll) => poll && { ...poll, commentCount: Math.max(0, poll.commentCount + by) },
  );
  if (interrupted) void client.refetchQueries({ queryKey });
  // The linked comment is read on its own.
  void client.refetchQueries({ queryKey, predicate: (query) => query.queryKey.length > queryKey.length });
}

/** Comments of a poll, newest first. The poll island’s refetches reveal new ones through the comment count. */
export function useDiscussion({ pollId, count: renderedCount, comments, readAt }: RenderedDiscussion): LiveDiscussion {
  const client = queryClient();
  const hydrated = useHydrated();
  const params = { id: pollId };
  const queryKey = queryKeys.comments(pollId);
  const pollKey = queryKeys.poll(pollId);
  const [posting, setPosting] = useState<NewComment | null>(null);

  const poll = useQuery<CommunityPoll>(
    { queryKey: pollKey, queryFn: ({ signal }) => callApi('communityPoll', { params, signal }), enabled: false },
    client,
  );
  const {
    data: loaded,
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
        initialData: asRendered(comments, renderedCount),
        initialDataUpdatedAt: Date.parse(readAt),
      }),
      // Rendered comments are the same for everyone; only the API knows which are the reader’s.
      refetchOnMount: () => (typeof document !== 'undefined' && hasAccountHint() ? 'always' : comments === null),
    },
    client,
  );
  const live = hydrated ? (poll.data?.commentCount ?? (loaded && countOf(loaded))) : undefined;
  const polled = live ?? renderedCount;
  const unseen = loaded && hydrated ? newComments(loaded, polled) : 0;
  const count = loaded && hydrated && unseen === 0 ? countOf(loaded) : polled;
  // The first comments of an empty list are shown without a button.
  const loadingFirst = unseen > 0 && loaded?.comments.length === 0;

  // Deleted comments disappear immediately. Refetch only when the count changes: a wrong count would refetch forever.
  useEffect(() => {
    if (unseen < 0 || loadingFirst) void refetch();
  }, [polled]);

  const more = useMutation<readonly Comment[], Error, string>(
    {
      mutationFn: (before) => callApi('comments', { params, query: { limit: limits.commentPageSize, before } }),
      onSuccess: (older) => updateCache(pollId, (discussion) => withOlder(discussion, older)),
      onError: (failure) =>
        toast({ title: texts.fetchFailed, text: failureText(failure, texts.fetchFailedText), destructive: true }),
    },
    client,
  );
  const replies = useMutation<readonly Comment[], Error, Comment>(
    {
      mutationFn: ({ id: replyTo, replies: known }) => {
        const after = known?.at(-1)?.id;
        const query = { limit: limits.commentPageSize, replyTo, ...(after !== undefined && { after }) };
        return callApi('comments', { params, query });
      },
      onSuccess: (next, { id }) => updateCache(pollId, (discussion) => withReplies(discussion, id, next)),
      onError: (failure) =>
        toast({ title: texts.fetchFailed, text: failureText(failure, texts.fetchFailedText), destructive: true }),
    },
    client,
  );
  const handleFailure = (failure: Error, title: string, fallback: string) => {
    if (failure instanceof ApiError && failure.code === 'UNAUTHENTICATED') {
      toast({ title: texts.authenticationTitle, text: texts.authenticationText, destructive: true });
      signedOut();
    } else toast({ title, text: failureSentence(failure, fallback), destructive: true });
  };
  const edit = useMutation<Comment, Error, { readonly commentId: string; readonly content: string }>(
    {
      mutationFn: ({ commentId, content }) =>
        callApi('editComment', { params: { ...params, commentId }, body: { content } }),
      onSuccess: async (edited) => {
        await updateCache(pollId, (discussion) => withEdited(discussion, edited));
        toast({ title: texts.edit.saved });
      },
      onError: (failure) => handleFailure(failure, texts.toasts.postFailedTitle, texts.edit.failed),
    },
    client,
  );
  const post = useMutation<Comment, Error, { readonly body: NewComment; readonly idempotencyKey: string }>(
    {
      mutationFn: ({ body, idempotencyKey }) => callApi('createComment', { params, body, idempotencyKey }),
      onMutate: ({ body }) => setPosting(body),
      onSuccess: async (comment) => {
        // The response to a retry may be a comment that is already listed.
        const listed = client.getQueryData<Discussion>(queryKey);
        const parent = listed?.comments.find(({ id }) => id === comment.replyTo);
        const by = listed && findComment(listed, comment.id) ? 0 : 1;
        await updateCache(pollId, (discussion) => withOwn(discussion, comment), {
          by,
          beforeUpdate: () => setPosting(null),
        });
        // There was no list to add it to.
        if (client.getQueryData(queryKey) === undefined) void refetch();
        // It is behind replies that aren’t loaded yet.
        if (parent && unloadedReplies(parent) > 0) replies.mutate(parent);
        toast({ title: comment.replyTo === undefined ? texts.toasts.posted : texts.reply.posted });
      },
      onError: (failure) => handleFailure(failure, texts.toasts.postFailedTitle, texts.toasts.postFailed),
      onSettled: () => setPosting(null),
    },
    client,
  );

  return {
    count: count + (posting === null ? 0 : 1),
    loaded: loadingFirst ? undefined : loaded,
    waiting: loadingFirst ? 0 : Math.max(0, unseen - (posting === null ? 0 : 1)),
    failed: error !== null,
    isFetching,
    inaccessible: isInaccessible(poll.error) || isInaccessible(error),
    showNew: () => void refetch(),
    showMore: () => {
      const oldest = loaded?.comments.at(-1);
      if (oldest && !more.isPending) more.mutate(oldest.id);
    },
    loadingMore: more.isPending,
    posting,
    post: (body, idempotencyKey) => post.mutateAsync({ body, idempotencyKey }),
    edit: (commentId, content) => edit.mutateAsync({ commentId, content }),
    editing: edit.isPending,
    showReplies: (comment) => replies.isPending || replies.mutate(comment),
    loadingReplies: replies.isPending,
    removeFromCache: async (commentId) => {
      const removed = loaded && findComment(loaded, commentId);
      await updateCache(pollId, (discussion) => withoutComment(discussion, commentId), {
        by: removed?.hidden ? 0 : -1,
      });
      // Its replies are comments of their own now.
      if (removed?.replies?.length) void refetch();
    },
    hideInCache: (commentId, hidden) =>
      updateCache(pollId, (discussion) => withHidden(discussion, commentId, hidden), { by: hidden ? -1 : 1 }),
    people: peopleOf(loaded?.comments ?? [], poll.data),
    isOpen: poll.data?.commentsOpen !== false || poll.data.isMine,
  };
}

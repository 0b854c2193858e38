import { useMutation } from '@tanstack/react-query';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';

/** A confirmed action on one comment. */
interface CommentAction<T> {
  readonly run: (value: T) => void;
  readonly pending: boolean;
  readonly problem: string | null;
  /** Clears the problem. */
  readonly reset: () => void;
}

function useAction<T>(
  call: (value: T) => Promise<unknown>,
  onDone: (value: T) => void,
  failed: string,
): CommentAction<T> {
  const { mutate, reset, isPending, error } = useMutation<unknown, Error, T>(
    {
      mutationFn: (value) =>
        call(value).catch((failure: unknown) => {
          // Already deleted, which is fine.
          if (!(failure instanceof ApiError && failure.code === 'COMMENT_NOT_FOUND')) throw failure;
        }),
      onSuccess: (_, value) => onDone(value),
    },
    queryClient(),
  );
  return { run: (value) => mutate(value), reset, pending: isPending, problem: error && failureSentence(error, failed) };
}

/** Deletes a comment by id. */
export function useDeleteComment(pollId: string, onDone: (commentId: string) => void, failed: string) {
  return useAction<string>(
    (commentId) => callApi('deleteComment', { params: { id: pollId, commentId } }),
    onDone,
    failed,
  );
}

/** Hides a comment on the reader’s own poll, or shows it again. */
export function useHideComment(
  pollId: string,
  onDone: (change: { readonly commentId: string; readonly hidden: boolean }) => void,
  failed: string,
) {
  return useAction<{ readonly commentId: string; readonly hidden: boolean }>(
    ({ commentId, hidden }) => callApi('hideOwnComment', { params: { id: pollId, commentId }, body: { hidden } }),
    onDone,
    failed,
  );
}

/** Blocks the author of a comment on the reader’s own poll. */
export function useBlockAuthor(pollId: string, onDone: (commentId: string) => void, failed: string) {
  return useAction<string>(
    (commentId) => callApi('blockAuthor', { params: { id: pollId }, body: { commentId } }),
    onDone,
    failed,
  );
}

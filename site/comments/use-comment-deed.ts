import { useMutation } from '@tanstack/react-query';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';

/** Something that is done to one comment. */
export interface CommentDeed<T> {
  readonly run: (value: T) => void;
  readonly pending: boolean;
  readonly problem: string | null;
  /** Forgets the problem. */
  readonly reset: () => void;
}

function useDeed<T>(call: (value: T) => Promise<unknown>, onDone: (value: T) => void, failed: string): CommentDeed<T> {
  const { mutate, reset, isPending, error } = useMutation<unknown, Error, T>(
    {
      mutationFn: (value) =>
        call(value).catch((failure: unknown) => {
          // It is gone already: what was wanted is so.
          if (!(failure instanceof ApiError && failure.code === 'COMMENT_NOT_FOUND')) throw failure;
        }),
      onSuccess: (_, value) => onDone(value),
    },
    queryClient(),
  );
  return { run: (value) => mutate(value), reset, pending: isPending, problem: error && failureSentence(error, failed) };
}

/** Deletes a comment, by its id. */
export function useDeleteComment(pollId: string, onDone: (commentId: string) => void, failed: string) {
  return useDeed<string>(
    (commentId) => callApi('deleteComment', { params: { id: pollId, commentId } }),
    onDone,
    failed,
  );
}

/** A comment and why it is reported. */
export interface Report {
  readonly commentId: string;
  readonly reason: string;
}

/** Tells the operator about a comment. */
export function useReportComment(pollId: string, onDone: (report: Report) => void, failed: string) {
  return useDeed<Report>(
    ({ commentId, reason }) =>
      callApi('reportComment', { params: { id: pollId, commentId }, body: reason === '' ? {} : { reason } }),
    onDone,
    failed,
  );
}

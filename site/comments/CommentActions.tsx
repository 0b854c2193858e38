import { useId, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import * as limits from '#contract/limits.ts';
import { trimText } from '#domain/visible-text.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { commentTexts } from '#texts/comments.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { failureSentence } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import styles from './Comments.module.css';

const texts = commentTexts.report;

interface ReportDialogProps {
  readonly pending: boolean;
  readonly problem: string | null;
  readonly onSend: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks for an optional reason to report a comment. */
export function ReportDialog({ pending, problem, onSend, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState('');
  const id = useId();
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        className={styles.report}
        onSubmit={(event) => {
          event.preventDefault();
          if (!pending) onSend(trimText(reason));
        }}
      >
        <p>{texts.text}</p>
        <Field id={id} label={texts.reason} problem={problem ?? undefined}>
          {(control) => (
            <textarea
              {...control}
              className={`input ${styles.box}`}
              rows={3}
              dir="auto"
              maxLength={limits.commentLength}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {commentTexts.cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={pending}>
            {pending ? commentTexts.pending : texts.confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

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

/** A comment and why it is reported. */
interface Report {
  readonly commentId: string;
  readonly reason: string;
}

/** Reports a comment to the operator. */
export function useReportComment(pollId: string, onDone: (report: Report) => void, failed: string) {
  return useAction<Report>(
    ({ commentId, reason }) =>
      callApi('reportComment', { params: { id: pollId, commentId }, body: reason === '' ? {} : { reason } }),
    onDone,
    failed,
  );
}

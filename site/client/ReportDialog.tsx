import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Report } from '#contract/moderation.ts';
import { reportCategories } from '#contract/vocabulary.ts';
import type { ReportCategory } from '#contract/vocabulary.ts';
import { trimText } from '#domain/visible-text.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { reportCategoryTexts, reportTexts as texts } from '#texts/reporting.ts';
import { ApiError, callApi } from './api.ts';
import { failureSentence } from './failure-text.ts';
import { queryClient } from './query-client.ts';

interface ReportDialogProps {
  readonly pollId: string;
  /** Without it, the poll is reported. */
  readonly commentId?: string;
  /** The poll has a creator who can be reported. */
  readonly hasAuthor?: boolean;
  readonly onReported: () => void;
  readonly onClose: () => void;
}

/** Reports a poll, a comment, or the member who created it to the moderators. */
export function ReportDialog({ pollId, commentId, hasAuthor = true, onReported, onClose }: ReportDialogProps) {
  const [category, setCategory] = useState<ReportCategory>('spam');
  const [author, setAuthor] = useState(false);
  const [reason, setReason] = useState('');
  const id = useId();
  const { mutate, isPending, error } = useMutation<unknown, Error, Report>(
    {
      mutationFn: (body) =>
        (commentId === undefined
          ? callApi('reportPoll', { params: { id: pollId }, body })
          : callApi('reportComment', { params: { id: pollId, commentId }, body })
        ).catch((failure: unknown) => {
          // Already deleted, which is fine.
          if (!(failure instanceof ApiError && failure.code === 'COMMENT_NOT_FOUND')) throw failure;
        }),
      onSuccess() {
        toast(texts.thanks);
        onReported();
      },
    },
    queryClient(),
  );
  return (
    <Dialog title={texts.title[commentId === undefined ? 'poll' : 'comment']} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) mutate({ category, author, ...(trimText(reason) !== '' && { reason: trimText(reason) }) });
        }}
      >
        <p>{texts.text}</p>
        <Field id={`${id}-category`} label={texts.category}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={category}
              onChange={({ target }) => setCategory(target.value as ReportCategory)}
            >
              {reportCategories.map((one) => (
                <option key={one} value={one}>
                  {reportCategoryTexts[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          id={`${id}-reason`}
          label={texts.reason}
          problem={error ? failureSentence(error, texts.failed) : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={3}
              dir="auto"
              maxLength={limits.commentLength}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        {hasAuthor && (
          <label className="row">
            <input type="checkbox" checked={author} onChange={({ target }) => setAuthor(target.checked)} />{' '}
            {texts.author}
          </label>
        )}
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={isPending}>
            {isPending ? texts.pending : texts.confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

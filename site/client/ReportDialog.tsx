import { useMutation } from '@tanstack/react-query';
import checkReport from 'virtual:contract-check/report';
import { useId, useState } from 'react';
import type { Report } from '#contract/moderation.ts';
import { reportCategories } from '#contract/vocabulary.ts';
import type { ReportCategory } from '#contract/vocabulary.ts';
import { commentLength } from '#domain/comment-text.ts';
import { trimText } from '#domain/visible-text.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { toast } from '#site/ui/toasts.ts';
import { reportCategoryTexts, reportTexts as texts } from '#texts/reporting.ts';
import { ApiError, callApi } from './api.ts';
import { checkInput } from './check-input.ts';
import { failureSentence } from './failure-text.ts';
import { queryClient } from './query-client.ts';

interface ReportDialogProps {
  readonly pollId: string;
  /** Without it, the poll is reported. */
  readonly commentId?: string;
  /** The reader has an account; others may leave an address for questions. */
  readonly signedIn: boolean;
  /** The poll has a creator who can be reported. */
  readonly hasAuthor?: boolean;
  readonly onReported: () => void;
  readonly onClose: () => void;
}

/** Reports a poll, a comment, or the member who created it to the moderators. */
export function ReportDialog(props: ReportDialogProps) {
  const { pollId, commentId, signedIn, hasAuthor = true, onReported, onClose } = props;
  const [category, setCategory] = useState<ReportCategory>('spam');
  const [author, setAuthor] = useState(false);
  const [reason, setReason] = useState('');
  const [email, setEmail] = useState('');
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
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
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending) return;
          const report = {
            ...{ category, author },
            ...(trimText(reason) !== '' && { reason: trimText(reason) }),
            ...(email.trim() !== '' && { email: email.trim() }),
          };
          const found = checkInput(checkReport, report);
          setProblems(new Map(found.map(({ field, message }) => [field, message])));
          if (found.length === 0) mutate(report);
        }}
      >
        <p>{signedIn ? texts.text : texts.textSignedOut}</p>
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
          problem={problems.get('reason') ?? (error ? failureSentence(error, texts.failed) : undefined)}
          note={texts.counter(commentLength(reason))}
        >
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={3}
              dir="auto"
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Field>
        {!signedIn && (
          <Field id={`${id}-email`} label={texts.email} hint={texts.emailHint} problem={problems.get('email')}>
            {(control) => (
              <input
                {...control}
                className="input"
                type="email"
                autoComplete="email"
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
        )}
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

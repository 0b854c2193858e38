import checkReport from 'virtual:check/Report';
import { useId, useState } from 'react';
import type { Report } from '#api/moderation/moderation.contract.ts';
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
import { useForm } from './use-form.ts';

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
  const [length, setLength] = useState(0);
  const id = useId();
  const { pending, problemOf, formProblem, form } = useForm({
    bodyOf: (field, { data }): Report => ({
      ...{ category: field('category') as ReportCategory, author: data.has('author') },
      ...(trimText(field('reason')) !== '' && { reason: trimText(field('reason')) }),
      ...(field('email').trim() !== '' && { email: field('email').trim() }),
    }),
    check: (body) => checkInput(checkReport, body),
    send: (body) =>
      (commentId === undefined
        ? callApi('reportPoll', { params: { id: pollId }, body })
        : callApi('reportComment', { params: { id: pollId, commentId }, body })
      ).catch((failure: unknown) => {
        // Already deleted, which is fine.
        if (!(failure instanceof ApiError && failure.code === 'COMMENT_NOT_FOUND')) throw failure;
      }),
    onSent() {
      toast(texts.thanks);
      onReported();
    },
    onFailed: (error) => failureSentence(error, texts.failed),
  });
  return (
    <Dialog title={texts.title[commentId === undefined ? 'poll' : 'comment']} onClose={onClose}>
      <form {...form} className="stack">
        <p>{signedIn ? texts.text : texts.textSignedOut}</p>
        <Field id={`${id}-category`} label={texts.category}>
          {(control) => (
            <select {...control} className="input" name="category">
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
          problem={problemOf('reason') ?? formProblem ?? undefined}
          note={texts.counter(length)}
        >
          {(control) => (
            <textarea
              {...control}
              className="input"
              rows={3}
              dir="auto"
              name="reason"
              onChange={({ target }) => setLength(commentLength(target.value))}
            />
          )}
        </Field>
        {!signedIn && (
          <Field id={`${id}-email`} label={texts.email} hint={texts.emailHint} problem={problemOf('email')}>
            {(control) => <input {...control} className="input" type="email" autoComplete="email" name="email" />}
          </Field>
        )}
        {hasAuthor && (
          <label className="row">
            <input type="checkbox" name="author" />
            {texts.author}
          </label>
        )}
        <DialogActions>
          <button type="button" className="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" className="button button--primary" aria-disabled={pending}>
            {pending ? texts.pending : texts.confirm}
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

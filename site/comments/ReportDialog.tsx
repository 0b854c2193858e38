import { useId, useState } from 'react';
import * as limits from '#contract/limits.ts';
import { trimText } from '#domain/visible-text.ts';
import { Dialog, DialogActions } from '#site/ui/Dialog.tsx';
import { Field } from '#site/ui/Field.tsx';
import { commentTexts } from '#texts/comments.ts';
import styles from './Comments.module.css';

const texts = commentTexts.report;

interface ReportDialogProps {
  readonly pending: boolean;
  readonly problem: string | null;
  readonly onSend: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks why a comment is reported; the reason may be left out. */
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

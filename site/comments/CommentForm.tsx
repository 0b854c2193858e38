import { useEffect, useId, useRef } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import * as limits from '#contract/limits.ts';
import { commentErrors, commentLength } from '#domain/comment-text.ts';
import { trimText } from '#domain/visible-text.ts';
import { displayName } from '#domain/display-name.ts';
import { useForm } from '#site/client/use-form.ts';
import type { FormState } from '#site/client/use-form.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { Field } from '#site/ui/Field.tsx';
import { commentTexts as texts } from '#texts/comments.ts';
import { commentDraft, unposted } from './comment-drafts.ts';
import type { CommentText } from './comment-drafts.ts';
import styles from './Comments.module.css';
import type { Person } from './discussion.ts';
import { MentionBox } from './MentionBox.tsx';

interface CommentFormProps {
  /** The name of the draft. */
  readonly draft: string;
  readonly user: User;
  readonly posting: boolean;
  /** Posts a trimmed comment with the draft’s Idempotency-Key; rejects if it isn’t saved. */
  readonly onPost: (content: string, key: string) => Promise<unknown>;
  /** Whom it can mention. */
  readonly people: readonly Person[];
  /** What the box has without a draft. */
  readonly initial?: string;
  /** The beginning of a reply, which alone is no comment. */
  readonly mention?: string;
  readonly words?: FormWords;
  /** Of a form that the reader opened: it takes the focus. */
  readonly onCancel?: () => void;
}

/** The label of the box and of its button, also while posting. */
interface FormWords {
  readonly label: string;
  readonly post: string;
  readonly posting: string;
}

/** The box to write in. It is empty while a comment is being posted, and gets the text back if that fails. */
export function CommentForm(props: CommentFormProps) {
  const { draft, user, posting, onPost, people, initial = '', mention = '', words = texts, onCancel } = props;
  const form: FormState<CommentText> = useForm({
    initial: { text: initial || mention, sent: '' },
    draft: commentDraft(draft),
    bodyOf(_, { values }) {
      const written = unposted(values);
      const content = trimText(written);
      return { written, content: content === mention.trim() ? '' : content };
    },
    check: ({ content }) => commentErrors(content),
    async send({ written, content }, key) {
      form.change({ sent: written, text: '' });
      return onPost(content, key);
    },
    onSent: () => form.change({ sent: '' }),
    // The discussion says what failed.
    onFailed: () => null,
  });
  const { values, pending, problemOf } = form;
  const text = pending ? values.text : unposted(values);
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const length = commentLength(text);
  const opened = onCancel !== undefined;
  useEffect(() => {
    if (!opened || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(box.current.value.length, box.current.value.length);
  }, [opened]);

  return (
    <form
      {...form.form}
      className={styles.form}
      onSubmit={(event) => {
        box.current?.focus();
        if (posting) event.preventDefault();
        else form.form.onSubmit(event);
      }}
    >
      <Avatar person={{ ...user, name: displayName(user) }} />
      <div className={styles.writing}>
        <Field
          id={id}
          label={words.label}
          problem={problemOf('content')}
          note={
            <span className={length > limits.commentLength ? styles.over : undefined}>{texts.counter(length)}</span>
          }
        >
          {(control) => (
            <MentionBox
              control={control}
              box={box}
              people={people}
              placeholder={onCancel ? undefined : texts.placeholder}
              value={text}
              onWrite={(next) => form.change({ text: next, ...(!pending && { sent: '' }) })}
            />
          )}
        </Field>
        <div className={styles.buttons}>
          {onCancel && (
            <button
              type="button"
              className="button"
              onClick={() => {
                form.reset();
                onCancel();
              }}
            >
              {texts.cancel}
            </button>
          )}
          <button type="submit" className={`button button--primary ${styles.post}`} aria-disabled={posting}>
            {posting ? words.posting : words.post}
          </button>
        </div>
      </div>
    </form>
  );
}

import { useEffect, useId, useRef, useState } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import * as limits from '#contract/limits.ts';
import { commentErrors, commentLength } from '#domain/comment-text.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { displayName } from '#domain/display-name.ts';
import { needsNewKey, newIdempotencyKey } from '#site/client/idempotency-key.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { Field } from '#site/ui/Field.tsx';
import { commentTexts as texts } from '#texts/comments.ts';
import { readDraft, saveDraft } from './comment-drafts.ts';
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

/** A text followed by what was written after it. */
function joined(first: string, second: string): string {
  return isBlank(second) ? first : `${first}\n${second}`;
}

/** The box to write in. It is empty while a comment is being posted, and gets the text back if that fails. */
export function CommentForm(props: CommentFormProps) {
  const { draft, user, posting, onPost, people, initial = '', mention = '', words = texts, onCancel } = props;
  const [restored] = useState(() => readDraft(draft));
  const [text, setText] = useState(restored.text || initial || mention);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  /** The text being posted, part of the draft until it is saved. */
  const sent = useRef('');
  const key = useRef(restored.key);
  const id = useId();
  const length = commentLength(text);
  const opened = onCancel !== undefined;
  useEffect(() => {
    if (!opened || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(box.current.value.length, box.current.value.length);
  }, [opened]);

  const save = (text: string) => {
    // Text written after emptying the box is a new draft.
    if (text === '') key.current = newIdempotencyKey();
    saveDraft(draft, { text, key: key.current });
  };
  const write = (next: string) => {
    setText(next);
    save(sent.current === '' ? next : joined(sent.current, next));
  };

  const handleSubmit = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (posting) return;
    const content = trimText(text);
    const [error] = commentErrors(content === mention.trim() ? '' : content);
    setProblem(error?.message);
    box.current?.focus();
    if (error) return;
    sent.current = text;
    write('');
    try {
      await onPost(content, key.current);
      sent.current = '';
      key.current = newIdempotencyKey();
      save(box.current?.value ?? '');
    } catch (error) {
      sent.current = '';
      if (needsNewKey(error)) key.current = newIdempotencyKey();
      setText((meanwhile) => joined(text, meanwhile));
      save(joined(text, box.current?.value ?? ''));
    }
  };

  return (
    <form className={styles.form} onSubmit={(event) => void handleSubmit(event)}>
      <Avatar person={{ ...user, name: displayName(user) }} />
      <div className={styles.writing}>
        <Field
          id={id}
          label={words.label}
          problem={problem}
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
              onWrite={(next) => {
                setProblem(undefined);
                write(next);
              }}
            />
          )}
        </Field>
        <div className={styles.buttons}>
          {onCancel && (
            <button
              type="button"
              className="button"
              onClick={() => {
                save('');
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

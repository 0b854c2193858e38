import type { ChangeEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import type { User } from '#contract/account.ts';
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

interface CommentFormProps {
  /** The name of the draft. */
  readonly draft: string;
  readonly user: User;
  readonly posting: boolean;
  /** Posts a trimmed comment with the draft’s Idempotency-Key; rejects if it isn’t saved. */
  readonly onPost: (content: string, key: string) => Promise<unknown>;
  /** What the box has without a draft. */
  readonly initial?: string;
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
export function CommentForm({ draft, user, posting, onPost, initial = '', words = texts, onCancel }: CommentFormProps) {
  const [restored] = useState(() => readDraft(draft));
  const [text, setText] = useState(restored.text || initial);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  /** The text being posted, part of the draft until it is saved. */
  const sent = useRef('');
  const key = useRef(restored.key);
  const id = useId();
  const length = commentLength(text);
  const opened = onCancel !== undefined;
  useEffect(() => {
    if (opened) box.current?.focus();
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

  const handleChange = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    setProblem(undefined);
    // Don’t interrupt an input method: its text may be too long until composition ends.
    if ((nativeEvent as InputEvent).isComposing) {
      write(target.value);
      return;
    }
    const kept = limitInput({ text: target.value, caret: target.selectionStart }, text);
    if (kept.text !== target.value) {
      target.value = kept.text;
      target.setSelectionRange(kept.caret, kept.caret);
    }
    write(kept.text);
  };

  const handleSubmit = async (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (posting) return;
    const content = trimText(text);
    const [error] = commentErrors(content);
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
            <textarea
              {...control}
              ref={box}
              className={`input ${styles.box}`}
              rows={3}
              dir="auto"
              placeholder={onCancel ? undefined : texts.placeholder}
              value={text}
              onChange={handleChange}
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

/** A text and its caret position in UTF-16 units. */
interface TextInput {
  readonly text: string;
  readonly caret: number;
}

/**
 * Limits a text to the maximum length by cutting what was just inserted before the caret. `maxlength` counts UTF-16 units,
 * not characters, and so would allow half as many emoji.
 */
export function limitInput({ text, caret }: TextInput, before: string): TextInput {
  const most = Math.max(limits.commentLength, commentLength(before));
  const over = commentLength(text) - most;
  if (over <= 0) return { text, caret };
  const head = Array.from(text.slice(0, caret));
  const kept = head.slice(0, Math.max(0, head.length - over)).join('');
  return { text: kept + text.slice(caret), caret: kept.length };
}

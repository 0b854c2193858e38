import { useId, useRef, useState } from 'react';
import type { ChangeEvent } from 'react';
import type { User } from '#contract/account.ts';
import * as limits from '#contract/limits.ts';
import { commentErrors, commentLength } from '#domain/comment-text.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { displayName } from '#domain/display-name.ts';
import { needsNewKey, newIdempotencyKey } from '#site/client/idempotency-key.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import { Field } from '#site/ui/Field.tsx';
import { commentTexts as texts } from '#texts/comments.ts';
import { readDraft, saveDraft } from './comment-draft.ts';
import styles from './Comments.module.css';
import { limitInput } from './limit-input.ts';

interface CommentFormProps {
  readonly pollId: string;
  readonly user: User;
  readonly posting: boolean;
  /** Posts a trimmed comment with the draft's Idempotency-Key; rejects when it is not kept. */
  readonly onPost: (content: string, key: string) => Promise<unknown>;
}

/** What was written, and behind it what was written meanwhile. */
function joined(first: string, second: string): string {
  return isBlank(second) ? first : `${first}\n${second}`;
}

/** Where a member writes. The box is empty while a comment is on its way; what is not kept comes back into it. */
export function CommentForm({ pollId, user, posting, onPost }: CommentFormProps) {
  const [restored] = useState(() => readDraft(pollId));
  const [text, setText] = useState(restored.text);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  /** What is on its way: part of the draft until it is kept. */
  const sent = useRef('');
  const key = useRef(restored.key);
  const id = useId();
  const length = commentLength(text);
  const { firstName, lastName } = user;

  const save = (draft: string) => {
    // What is written after the box was emptied is another draft.
    if (draft === '') key.current = newIdempotencyKey();
    saveDraft(pollId, { text: draft, key: key.current });
  };
  const write = (next: string) => {
    setText(next);
    save(sent.current === '' ? next : joined(sent.current, next));
  };

  const handleChange = ({ target, nativeEvent }: ChangeEvent<HTMLTextAreaElement>) => {
    setProblem(undefined);
    // An input method is not to be disturbed: what it composes may be too long until it is done.
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
      <Avatar person={{ firstName, lastName, name: displayName(user), profileImageUrl: null }} />
      <div className={styles.writing}>
        <Field
          id={id}
          label={texts.label}
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
              placeholder={texts.placeholder}
              value={text}
              onChange={handleChange}
            />
          )}
        </Field>
        <button type="submit" className={`button button--primary ${styles.post}`} aria-disabled={posting}>
          {posting ? texts.posting : texts.post}
        </button>
      </div>
    </form>
  );
}

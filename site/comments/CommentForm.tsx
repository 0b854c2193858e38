import { useId, useRef, useState } from 'react';
import type { ChangeEvent } from 'react';
import type { User } from '#contract/account.ts';
import { limits } from '#contract/limits.ts';
import { commentErrors, commentLength } from '#domain/comment-text.ts';
import { isBlank, trimText } from '#domain/visible-text.ts';
import { displayName } from '#domain/display-name.ts';
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
  /** Posts a trimmed comment; rejects when it is not kept. */
  readonly onPost: (content: string) => Promise<unknown>;
}

/** What was written, and behind it what was written meanwhile. */
function joined(first: string, second: string): string {
  return isBlank(second) ? first : `${first}\n${second}`;
}

/** Where a member writes. The box is empty while a comment is on its way; what is not kept comes back into it. */
export function CommentForm({ pollId, user, posting, onPost }: CommentFormProps) {
  const [text, setText] = useState(() => readDraft(pollId));
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  /** What is on its way: part of the draft until it is kept. */
  const sent = useRef('');
  const id = useId();
  const length = commentLength(text);
  const { firstName, lastName } = user;

  const write = (next: string) => {
    setText(next);
    saveDraft(pollId, sent.current === '' ? next : joined(sent.current, next));
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
      await onPost(content);
      sent.current = '';
      saveDraft(pollId, box.current?.value ?? '');
    } catch {
      sent.current = '';
      setText((meanwhile) => joined(text, meanwhile));
      saveDraft(pollId, joined(text, box.current?.value ?? ''));
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

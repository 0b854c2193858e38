import type { ReactNode } from 'react';
import type { Comment } from '#contract/comment.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import type { Pictured } from '#site/ui/Avatar.tsx';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { commentTexts as texts } from '#texts/comments.ts';
import { reportTexts } from '#texts/reporting.ts';
import { linkParts } from '#domain/comment-text.ts';
import styles from './Comments.module.css';

interface EntryProps {
  readonly author: Pictured;
  /** The time of writing, or that it is being posted. */
  readonly moment: ReactNode;
  readonly content: string;
  readonly pending?: boolean;
  readonly children?: ReactNode;
}

/** One entry of the list. */
export function Entry({ author, moment, content, pending = false, children }: EntryProps) {
  return (
    <li
      className={`${styles.entry} ${pending ? styles.pending : ''}`.trim()}
      tabIndex={-1}
      aria-busy={pending || undefined}
    >
      <Avatar person={author} />
      <article className={styles.body}>
        <p className={styles.byline}>
          <bdi className={styles.author}>{author.name}</bdi> <span className={styles.moment}>{moment}</span>
        </p>
        <CommentText content={content} />
        {children}
      </article>
    </li>
  );
}

interface CommentItemProps {
  readonly comment: Comment;
  /** Undefined if the reader may not report comments. */
  readonly onReport?: (() => void) | undefined;
  readonly reported: boolean;
  readonly onDelete: () => void;
  /** Hides it, or shows it again. */
  readonly onHide: (hidden: boolean) => void;
  readonly onBlock: () => void;
}

/** One comment with the reader’s actions. */
export function CommentItem({ comment, onReport, reported, onDelete, onHide, onBlock }: CommentItemProps) {
  const { user, createdAt, content, isMine, mayDelete, hidden = false, mayHide = false } = comment;
  const mayReport = onReport !== undefined && !isMine;
  return (
    <Entry author={user} moment={<RelativeTime moment={createdAt} />} content={content}>
      {hidden && <p className="muted small">{texts.hide.hidden}</p>}
      {(mayDelete || mayReport) && (
        <p className={styles.actions}>
          {mayDelete && (
            <button
              type="button"
              className={styles.action}
              aria-label={texts.delete.label(user.name)}
              onClick={onDelete}
            >
              {texts.delete.button}
            </button>
          )}
          {mayHide && (
            <>
              <button type="button" className={styles.action} onClick={() => onHide(!hidden)}>
                {hidden ? texts.hide.show : texts.hide.button}
                <span className="visually-hidden"> {texts.hide.of(user.name)}</span>
              </button>
              <button
                type="button"
                className={styles.action}
                aria-label={texts.block.label(user.name)}
                onClick={onBlock}
              >
                {texts.block.button}
              </button>
            </>
          )}
          {mayReport && (
            <button
              type="button"
              className={styles.action}
              aria-label={reported ? undefined : reportTexts.label(user.name)}
              aria-disabled={reported}
              onClick={reported ? undefined : onReport}
            >
              {reported ? reportTexts.reported : reportTexts.button}
            </button>
          )}
        </p>
      )}
    </Entry>
  );
}

/** A comment as plain text, with addresses as nofollow links. */
function CommentText({ content }: { readonly content: string }) {
  return (
    <p className={styles.text} dir="auto">
      {linkParts(content).map(({ text, href }, index) =>
        href === undefined ? (
          text
        ) : (
          <a key={index} href={href} rel="nofollow ugc noopener" dir="ltr">
            {text}
          </a>
        ),
      )}
    </p>
  );
}

import type { ReactNode } from 'react';
import type { Comment } from '#contract/comment.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import type { PersonName } from '#site/ui/Avatar.tsx';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { commentTexts as texts } from '#texts/comments.ts';
import styles from './Comments.module.css';
import { CommentText } from './CommentText.tsx';

interface EntryProps {
  readonly author: PersonName;
  /** When it was written, or that it is on its way. */
  readonly moment: ReactNode;
  readonly content: string;
  readonly pending?: boolean;
  readonly children?: ReactNode;
}

/** One entry of the list. Pictures of others are not loaded: their makers could count who reads. */
export function Entry({ author, moment, content, pending = false, children }: EntryProps) {
  return (
    <li
      className={`${styles.entry} ${pending ? styles.pending : ''}`.trim()}
      tabIndex={-1}
      aria-busy={pending || undefined}
    >
      <Avatar person={{ ...author, profileImageUrl: null }} />
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
  /** Left out for who may not report. */
  readonly onReport?: (() => void) | undefined;
  readonly reported: boolean;
  readonly onDelete: () => void;
}

/** One comment, and what its reader may do about it. */
export function CommentItem({ comment, onReport, reported, onDelete }: CommentItemProps) {
  const { user, createdAt, content, isMine, mayDelete } = comment;
  const mayReport = onReport !== undefined && !isMine;
  return (
    <Entry author={user} moment={<RelativeTime moment={createdAt} />} content={content}>
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
          {mayReport && (
            <button
              type="button"
              className={styles.action}
              aria-label={reported ? undefined : texts.report.label(user.name)}
              aria-disabled={reported}
              onClick={reported ? undefined : onReport}
            >
              {reported ? texts.report.reported : texts.report.button}
            </button>
          )}
        </p>
      )}
    </Entry>
  );
}

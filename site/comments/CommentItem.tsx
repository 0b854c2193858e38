import type { ReactNode } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import { linkParts } from '#domain/comment-text.ts';
import { Avatar } from '#site/ui/Avatar.tsx';
import type { Pictured } from '#site/ui/Avatar.tsx';
import { MemberName } from '#site/ui/MemberName.tsx';
import { RelativeTime, useNow } from '#site/ui/RelativeTime.tsx';
import { WrittenText } from '#site/ui/WrittenText.tsx';
import { commentAnchor, commentTexts as texts } from '#texts/comments.ts';
import { reportTexts } from '#texts/reporting.ts';
import styles from './Comments.module.css';

interface EntryProps {
  /** Null for a comment that is no longer shown. */
  readonly author: Comment['user'] | null;
  /** The time of writing, or that it is being posted. */
  readonly moment: ReactNode;
  readonly content: string;
  readonly id?: string;
  readonly pending?: boolean;
  readonly children?: ReactNode;
  /** Below the comment, in its list. */
  readonly replies?: ReactNode;
}

/** The picture of a comment that is no longer shown. */
const nobody: Pictured = { name: '–', firstName: null, lastName: null, profileImageUrl: null };

/** One entry of the list. */
export function Entry({ author, moment, content, id, pending = false, children, replies }: EntryProps) {
  return (
    <li
      id={id}
      className={`${styles.entry} ${pending ? styles.pending : ''}`.trim()}
      tabIndex={-1}
      aria-busy={pending || undefined}
    >
      <Avatar person={author ?? nobody} />
      <article className={styles.body}>
        <p className={styles.byline}>
          {author !== null && <MemberName member={author} />}
          <span className={styles.moment}>{moment}</span>
        </p>
        <CommentText content={content} />
        {children}
      </article>
      {replies}
    </li>
  );
}

/** What the reader can do with the comments of a discussion. */
export interface CommentActions {
  readonly user: User | null;
  /** Comments that the reader has reported. */
  readonly reported: ReadonlySet<string>;
  readonly onReport: (commentId: string) => void;
  readonly onDelete: (commentId: string) => void;
  /** Hides a comment, or shows it again. */
  readonly onHide: (commentId: string, hidden: boolean) => void;
  /** Blocks the author of a comment. */
  readonly onBlock: (commentId: string) => void;
}

interface CommentItemProps {
  readonly comment: Comment;
  readonly actions: CommentActions;
  /** Undefined if the reader may not reply. */
  readonly onReply: (() => void) | undefined;
  /** Opens the form with the text of the reader’s own comment. */
  readonly onEdit: () => void;
  /** Takes the place of the reader’s actions. */
  readonly form?: ReactNode;
  readonly replies?: ReactNode;
}

/** One comment with the reader’s actions. */
export function CommentItem({ comment, actions, onReply, onEdit, form, replies }: CommentItemProps) {
  const { id, user, createdAt, editedAt, content, removed, hidden = false } = comment;
  const anchor = commentAnchor(id);
  if (removed)
    return (
      <Entry author={null} moment={<RelativeTime moment={createdAt} />} content="" replies={replies}>
        <p className="muted">{texts.removed}</p>
      </Entry>
    );
  const moment = (
    <>
      <a href={anchor} className={styles.permalink}>
        <span className="visually-hidden">{texts.linkTo(user.name)}</span>
        <RelativeTime moment={createdAt} inLink />
      </a>
      {editedAt !== undefined && ` · ${texts.edited}`}
    </>
  );
  return (
    <Entry id={anchor.slice(1)} author={user} moment={moment} content={content} replies={replies}>
      {hidden && <p className="muted small">{texts.hide.hidden}</p>}
      {form ?? <Actions comment={comment} actions={actions} onReply={onReply} onEdit={onEdit} />}
    </Entry>
  );
}

type ActionsProps = Pick<CommentItemProps, 'comment' | 'actions' | 'onReply' | 'onEdit'>;

function Actions({ comment, actions, onReply, onEdit }: ActionsProps) {
  const { id, user, isMine, mayDelete, editableUntil, hidden = false, mayHide = false } = comment;
  const now = useNow();
  const isSuspended = actions.user?.suspended === true;
  const mayEdit = !isSuspended && editableUntil !== undefined && now !== null && now < Date.parse(editableUntil);
  const mayReport = !isSuspended && !isMine;
  const reported = actions.reported.has(id);
  if (!mayDelete && !mayReport && onReply === undefined) return null;
  return (
    <p className={`js-only ${styles.actions}`}>
      {onReply && <Action text={texts.reply.button} about={texts.reply.to(user.name)} onClick={onReply} />}
      {mayEdit && <Action text={texts.edit.button} about={texts.edit.of} onClick={onEdit} />}
      {mayDelete && (
        <button
          type="button"
          className={styles.action}
          aria-label={texts.delete.label(user.name)}
          onClick={() => actions.onDelete(id)}
        >
          {texts.delete.button}
        </button>
      )}
      {mayHide && (
        <>
          <Action
            text={hidden ? texts.hide.show : texts.hide.button}
            about={texts.hide.of(user.name)}
            onClick={() => actions.onHide(id, !hidden)}
          />
          <Action text={texts.block.button} about={user.name} onClick={() => actions.onBlock(id)} />
        </>
      )}
      {mayReport && (
        <button
          type="button"
          className={styles.action}
          aria-label={reported ? undefined : reportTexts.label(user.name)}
          aria-disabled={reported}
          onClick={reported ? undefined : () => actions.onReport(id)}
        >
          {reported ? reportTexts.reported : reportTexts.button}
        </button>
      )}
    </p>
  );
}

interface ActionProps {
  readonly text: string;
  /** What it acts on, for screen readers. */
  readonly about: string;
  readonly onClick: () => void;
}

function Action({ text, about, onClick }: ActionProps) {
  return (
    <button type="button" className={styles.action} aria-label={`${text} ${about}`} onClick={onClick}>
      {text}
    </button>
  );
}

/** A comment as plain text, with addresses as nofollow links. */
function CommentText({ content }: { readonly content: string }) {
  if (content === '') return null;
  return (
    <WrittenText
      text={content}
      show={(part) =>
        linkParts(part).map(({ text, href }, index) =>
          href === undefined ? (
            text
          ) : (
            <a key={index} href={href} rel="nofollow ugc noopener" dir="ltr">
              {text}
            </a>
          ),
        )
      }
    />
  );
}

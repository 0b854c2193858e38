import { useEffect, useId, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { displayName } from '#domain/display-name.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatCount } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { commentTexts as texts } from '#texts/comments.ts';
import { CommentForm } from './CommentForm.tsx';
import { CommentItem, Entry } from './CommentItem.tsx';
import styles from './Comments.module.css';
import { ReportDialog } from './ReportDialog.tsx';
import { useDeleteComment, useReportComment } from './use-comment-deed.ts';
import { useDiscussion } from './use-discussion.ts';
import type { LiveDiscussion, Rendered } from './use-discussion.ts';

/** The discussion under a community poll: a box to write in, and the comments, newest first. */
export default function Comments(rendered: Rendered) {
  return (
    <AuthProvider>
      <Discussion {...rendered} />
    </AuthProvider>
  );
}

function Discussion(rendered: Rendered) {
  const discussion = useDiscussion(rendered);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  if (discussion.gone) return null;
  return (
    <section className={styles.discussion} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id} ref={heading} className={styles.heading} tabIndex={-1}>
          {texts.heading(formatCount(discussion.count))}
        </h2>
      </div>
      <Writing pollId={rendered.pollId} discussion={discussion} />
      <CommentList pollId={rendered.pollId} discussion={discussion} heading={heading} />
    </section>
  );
}

/** Where a member writes, and how others become one. The place has its size before it is known who reads. */
function Writing({ pollId, discussion }: { readonly pollId: string; readonly discussion: LiveDiscussion }) {
  const { status, user } = useAuth();
  return (
    <div className={`no-print ${styles.place}`}>
      {status === 'signed-in' && (
        <CommentForm
          key={user.id}
          pollId={pollId}
          user={user}
          posting={discussion.posting !== null}
          onPost={discussion.post}
        />
      )}
      {status === 'signed-out' && (
        <div className={`notice ${styles.invitation}`}>
          <p className="notice__text">{texts.authenticationText}</p>
          <a className="button" href={`/auth/login?next=${encodeURIComponent(`/community-polls/${pollId}`)}`}>
            {texts.logIn}
          </a>
        </div>
      )}
      <p className="no-js-only muted">{texts.noScript}</p>
    </div>
  );
}

interface CommentListProps {
  readonly pollId: string;
  readonly discussion: LiveDiscussion;
  /** Where the focus goes when the thing that had it is gone. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

function CommentList({ pollId, discussion, heading }: CommentListProps) {
  const { known, waiting, posting } = discussion;
  const { user } = useAuth();
  const [asked, setAsked] = useState<{ readonly about: 'delete' | 'report'; readonly commentId: string } | null>(null);
  const [reported, setReported] = useState<ReadonlySet<string>>(new Set());
  const [deleted, setDeleted] = useState(0);
  const focusHeading = () => heading.current?.focus({ preventScroll: true });
  // Whoever asked for more goes on where it begins; the button may be gone.
  const list = useRef<HTMLOListElement>(null);
  const shown = known?.comments.length ?? 0;
  const asking = useRef<number>(null);
  useEffect(() => {
    if (asking.current === null || shown <= asking.current) return;
    (list.current?.children[asking.current] as HTMLElement | undefined)?.focus({ preventScroll: true });
    asking.current = null;
  }, [shown]);
  // Not before the dialog is gone: what is behind it cannot have the focus.
  useEffect(() => {
    if (deleted > 0) heading.current?.focus({ preventScroll: true });
  }, [deleted, heading]);

  const remove = useDeleteComment(
    pollId,
    (commentId) => {
      setAsked(null);
      void discussion.forget(commentId).then(() => setDeleted((before) => before + 1));
      toast({ title: texts.toasts.deleted });
    },
    texts.delete.failed,
  );
  const report = useReportComment(
    pollId,
    ({ commentId }) => {
      setAsked(null);
      setReported((before) => new Set(before).add(commentId));
      toast({ title: texts.toasts.reported, text: texts.toasts.reportedText });
    },
    texts.report.failed,
  );
  const handleClose = () => {
    remove.reset();
    report.reset();
    setAsked(null);
  };

  if (known === undefined && posting === null)
    return discussion.failed ? (
      <div className="notice notice--error" role="alert">
        <h3 className="notice__title">{texts.fetchFailed}</h3>
        <p className="notice__text">{texts.fetchFailedText}</p>
        <RetryButton pending={discussion.isFetching} />
      </div>
    ) : (
      <div className={`skeleton ${styles.skeleton}`} role="img" aria-label={texts.loading} />
    );

  const comments = known?.comments ?? [];
  return (
    <>
      {waiting > 0 && (
        <button
          type="button"
          className={`button ${styles.wide}`}
          disabled={discussion.isFetching}
          onClick={() => {
            discussion.showNew();
            focusHeading();
          }}
        >
          {texts.newComments(waiting, formatCount(waiting))}
        </button>
      )}
      {comments.length === 0 && posting === null ? (
        <p className={styles.empty}>{texts.empty}</p>
      ) : (
        <ol ref={list} className={styles.list} aria-label={texts.list}>
          {posting !== null && user && (
            <Entry author={{ ...user, name: displayName(user) }} moment={texts.posting} content={posting} pending />
          )}
          {comments.map((comment) => (
            <CommentItem
              key={comment.id}
              comment={comment}
              reported={reported.has(comment.id)}
              onReport={user ? () => setAsked({ about: 'report', commentId: comment.id }) : undefined}
              onDelete={() => setAsked({ about: 'delete', commentId: comment.id })}
            />
          ))}
        </ol>
      )}
      {known?.more && (
        <button
          type="button"
          className={`button js-only ${styles.wide}`}
          aria-disabled={discussion.loadingMore}
          onClick={() => {
            if (discussion.loadingMore) return;
            asking.current = shown;
            discussion.showMore();
          }}
        >
          {discussion.loadingMore ? texts.moreLoading : texts.more}
        </button>
      )}
      {asked?.about === 'delete' && (
        <ConfirmDialog
          title={texts.delete.title}
          text={texts.delete.text}
          confirm={remove.pending ? texts.pending : texts.delete.confirm}
          cancel={texts.cancel}
          pending={remove.pending}
          dangerous
          problem={remove.problem}
          onConfirm={() => remove.run(asked.commentId)}
          onClose={handleClose}
        />
      )}
      {asked?.about === 'report' && (
        <ReportDialog
          pending={report.pending}
          problem={report.problem}
          onSend={(reason) => report.run({ commentId: asked.commentId, reason })}
          onClose={handleClose}
        />
      )}
    </>
  );
}

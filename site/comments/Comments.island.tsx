import type { RefObject } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { AuthProvider, useAuth } from '#site/client/auth.tsx';
import { ReportDialog } from '#site/client/ReportDialog.tsx';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { SuspendedForm } from '#site/client/SuspendedForm.tsx';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { displayName } from '#domain/display-name.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatCount } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { commentTexts as texts } from '#texts/comments.ts';
import { CommentForm } from './CommentForm.tsx';
import { draftOn, hasDrafts } from './comment-drafts.ts';
import { Entry } from './CommentItem.tsx';
import type { CommentActions } from './CommentItem.tsx';
import styles from './Comments.module.css';
import { useBlockAuthor, useDeleteComment, useHideComment } from './CommentActions.tsx';
import { LinkedComment } from './LinkedComment.tsx';
import { Thread } from './Thread.tsx';
import type { LiveDiscussion, RenderedDiscussion } from './use-discussion.ts';
import { useDiscussion } from './use-discussion.ts';

/** The discussion under a community poll: the form, and the comments, newest first. */
export default function Comments(rendered: RenderedDiscussion) {
  return (
    <AuthProvider>
      <Discussion {...rendered} />
    </AuthProvider>
  );
}

function Discussion(rendered: RenderedDiscussion) {
  const discussion = useDiscussion(rendered);
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  if (discussion.inaccessible) return null;
  return (
    <section className={styles.discussion} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id} ref={heading} className={styles.heading} tabIndex={-1}>
          {texts.heading(formatCount(discussion.count))}
        </h2>
      </div>
      <CommentFormOrLogin pollId={rendered.pollId} discussion={discussion} />
      <CommentList pollId={rendered.pollId} discussion={discussion} heading={heading} />
    </section>
  );
}

/** The form for members, or a link to log in. Its space is reserved until the session is known. */
function CommentFormOrLogin({ pollId, discussion }: { readonly pollId: string; readonly discussion: LiveDiscussion }) {
  const { status, user } = useAuth();
  const kept = status === 'signed-out' && hasDrafts(pollId, discussion.loaded?.comments ?? []);
  return (
    <div className={`no-print ${styles.formSlot}`}>
      {!discussion.isOpen && <p className="notice">{texts.closed}</p>}
      {discussion.isOpen && user?.suspended === true && <SuspendedForm />}
      {discussion.isOpen && status === 'signed-in' && user.suspended !== true && (
        <CommentForm
          key={user.id}
          draft={draftOn.poll(pollId)}
          user={user}
          people={discussion.people}
          posting={discussion.posting !== null}
          onPost={(content, key) => discussion.post({ content }, key)}
        />
      )}
      {/* Before hydration, for everyone who doesn’t seem to be a member. */}
      {discussion.isOpen && status !== 'signed-in' && (
        <div className={`notice js-only ${styles.invitation} ${status === 'loading' ? styles.unsure : ''}`}>
          <p className="notice__text" role={kept ? 'status' : undefined}>
            {kept ? texts.sessionEnded : texts.authenticationText}
          </p>
          <a className="button" href={`/auth/login?next=${encodeURIComponent(`/community-polls/${pollId}`)}`}>
            {kept ? texts.continue : texts.logIn}
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
  /** Takes the focus when the focused element disappears. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

function CommentList({ pollId, discussion, heading }: CommentListProps) {
  const { loaded, waiting, posting } = discussion;
  const pending = posting?.replyTo === undefined ? posting : null;
  const { user } = useAuth();
  const [dialog, setDialog] = useState<{
    readonly about: 'delete' | 'report' | 'block';
    readonly commentId: string;
  } | null>(null);
  const [reported, setReported] = useState<ReadonlySet<string>>(new Set());
  const [deleted, setDeleted] = useState(0);
  const focusHeading = () => heading.current?.focus();
  // After “Show more”, the focus moves to the first new comment.
  const list = useRef<HTMLOListElement>(null);
  const shown = loaded?.comments.length ?? 0;
  const shownBefore = useRef<number>(null);
  useEffect(() => {
    if (shownBefore.current === null || shown <= shownBefore.current) return;
    (list.current?.children[shownBefore.current] as HTMLElement | undefined)?.focus({ preventScroll: true });
    shownBefore.current = null;
  }, [shown]);
  // Only once the dialog is closed: elements behind it can’t take the focus.
  useEffect(() => {
    if (deleted > 0) heading.current?.focus();
  }, [deleted, heading]);

  const remove = useDeleteComment(
    pollId,
    (commentId) => {
      setDialog(null);
      void discussion.removeFromCache(commentId).then(() => setDeleted((before) => before + 1));
      toast({ title: texts.toasts.deleted });
    },
    texts.delete.failed,
  );
  const hide = useHideComment(
    pollId,
    ({ commentId, hidden }) => void discussion.hideInCache(commentId, hidden),
    texts.hide.failed,
  );
  const block = useBlockAuthor(
    pollId,
    () => {
      setDialog(null);
      toast({ title: texts.toasts.blocked });
      void queryClient().invalidateQueries({ queryKey: queryKeys.blocks(pollId) });
    },
    texts.block.failed,
  );
  const handleClose = () => {
    remove.reset();
    block.reset();
    setDialog(null);
  };

  if (loaded === undefined && pending === null)
    return discussion.failed ? (
      <div className="notice notice--error" role="alert">
        <h3 className="notice__title">{texts.fetchFailed}</h3>
        <p className="notice__text">{texts.fetchFailedText}</p>
        <RetryButton pending={discussion.isFetching} />
      </div>
    ) : (
      <div className={`skeleton ${styles.skeleton}`} role="img" aria-label={texts.loading} />
    );

  const comments = loaded?.comments ?? [];
  const actions: CommentActions = {
    user,
    reported,
    onReport: (commentId) => setDialog({ about: 'report', commentId }),
    onDelete: (commentId) => setDialog({ about: 'delete', commentId }),
    onHide: (commentId, hidden) => hide.pending || hide.run({ commentId, hidden }),
    onBlock: (commentId) => setDialog({ about: 'block', commentId }),
  };
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
      <LinkedComment {...{ pollId, discussion, actions }} />
      {comments.length === 0 && pending === null ? (
        <p className={styles.empty}>{texts.empty}</p>
      ) : (
        <ol ref={list} className={styles.list} aria-label={texts.list}>
          {pending !== null && user && (
            <Entry
              author={{ ...user, name: displayName(user) }}
              moment={texts.posting}
              content={pending.content}
              pending
            />
          )}
          {comments.map((comment) => (
            <Thread key={comment.id} {...{ pollId, comment, discussion, actions }} />
          ))}
        </ol>
      )}
      {hide.problem !== null && <p role="alert">{hide.problem}</p>}
      {loaded?.more && (
        <button
          type="button"
          className={`button js-only ${styles.wide}`}
          aria-disabled={discussion.loadingMore}
          onClick={() => {
            if (discussion.loadingMore) return;
            shownBefore.current = shown;
            discussion.showMore();
          }}
        >
          {discussion.loadingMore ? texts.moreLoading : texts.more}
        </button>
      )}
      {dialog?.about === 'delete' && (
        <ConfirmDialog
          title={texts.delete.title}
          text={texts.delete.text}
          confirm={remove.pending ? texts.pending : texts.delete.confirm}
          cancel={texts.cancel}
          pending={remove.pending}
          dangerous
          problem={remove.problem}
          onConfirm={() => remove.run(dialog.commentId)}
          onClose={handleClose}
        />
      )}
      {dialog?.about === 'block' && (
        <ConfirmDialog
          title={texts.block.title}
          text={texts.block.text}
          confirm={block.pending ? texts.pending : texts.block.confirm}
          cancel={texts.cancel}
          pending={block.pending}
          dangerous
          problem={block.problem}
          onConfirm={() => block.run(dialog.commentId)}
          onClose={handleClose}
        />
      )}
      {dialog?.about === 'report' && (
        <ReportDialog
          pollId={pollId}
          commentId={dialog.commentId}
          signedIn={user !== null}
          onReported={() => {
            setDialog(null);
            setReported((before) => new Set(before).add(dialog.commentId));
          }}
          onClose={handleClose}
        />
      )}
    </>
  );
}

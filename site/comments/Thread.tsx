import type { ReactNode } from 'react';
import { useState } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { Comment } from '#api/comments/comments.contract.ts';
import { displayName } from '#domain/display-name.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { commentTexts as texts } from '#texts/comments.ts';
import { draftOn, hasDraft } from './comment-drafts.ts';
import { CommentForm } from './CommentForm.tsx';
import { CommentItem, Entry } from './CommentItem.tsx';
import type { CommentActions } from './CommentItem.tsx';
import styles from './Comments.module.css';
import { unloadedReplies } from './discussion.ts';
import type { LiveDiscussion } from './use-discussion.ts';

export interface ThreadProps {
  readonly pollId: string;
  readonly comment: Comment;
  readonly discussion: LiveDiscussion;
  readonly actions: CommentActions;
}

/** A comment with its replies. */
export function Thread({ pollId, comment, discussion, actions }: ThreadProps) {
  const { id, user, replies = [] } = comment;
  const { posting } = discussion;
  const more = unloadedReplies(comment);
  const pending = posting?.replyTo === id && actions.user;
  const replyList =
    replies.length > 0 || more > 0 || pending ? (
      <div className={styles.replies}>
        <ol aria-label={texts.reply.list(user.name)}>
          {replies.map((reply) => (
            <WithForms key={reply.id} pollId={pollId} comment={reply} discussion={discussion} actions={actions} />
          ))}
          {pending && (
            <Entry
              author={{ ...pending, name: displayName(pending) }}
              moment={texts.posting}
              content={posting.content}
              pending
            />
          )}
        </ol>
        {more > 0 && (
          <button
            type="button"
            className={`js-only ${styles.action}`}
            aria-disabled={discussion.loadingReplies}
            onClick={() => discussion.showReplies(comment)}
          >
            {discussion.loadingReplies ? texts.moreLoading : texts.reply.more(more)}
          </button>
        )}
      </div>
    ) : null;
  return <WithForms {...{ pollId, comment, discussion, actions }} replies={replyList} />;
}

/** A comment or reply with the form that the reader opened on it, also again for a draft that is kept in this tab. */
function WithForms({ pollId, comment, discussion, actions, replies }: ThreadProps & { readonly replies?: ReactNode }) {
  const { id } = comment;
  const [opened, setOpened] = useState<'reply' | 'edit' | 'none'>();
  const hydrated = useHydrated();
  const kept = (): 'reply' | 'edit' | 'none' => {
    if (!hydrated) return 'none';
    if (hasDraft(draftOn.reply(pollId, id))) return 'reply';
    return comment.editableUntil !== undefined && hasDraft(draftOn.edit(pollId, id)) ? 'edit' : 'none';
  };
  const shown = opened ?? kept();
  const { user } = actions;
  const close = () => setOpened('none');
  const form =
    user && shown !== 'none' ? (
      <OpenedForm {...{ pollId, comment, discussion, user }} edits={shown === 'edit'} onClose={close} />
    ) : undefined;
  return (
    <CommentItem
      comment={comment}
      actions={actions}
      onReply={user && user.suspended !== true && discussion.isOpen ? () => setOpened('reply') : undefined}
      onEdit={() => setOpened('edit')}
      form={form}
      replies={replies}
    />
  );
}

interface OpenedFormProps extends Omit<ThreadProps, 'actions'> {
  readonly user: User;
  /** The form changes the comment; otherwise it answers it. */
  readonly edits: boolean;
  readonly onClose: () => void;
}

function OpenedForm({ pollId, comment, discussion, user, edits, onClose }: OpenedFormProps) {
  const { id, content } = comment;
  const { edit, reply } = texts;
  if (edits)
    return (
      <CommentForm
        draft={draftOn.edit(pollId, id)}
        user={user}
        people={discussion.people}
        initial={content}
        words={{ label: edit.label, post: edit.save, posting: edit.saving }}
        posting={discussion.editing}
        onPost={(text) => discussion.edit(id, text).then(onClose)}
        onCancel={onClose}
      />
    );
  return (
    <CommentForm
      draft={draftOn.reply(pollId, id)}
      user={user}
      people={discussion.people}
      mention={comment.isMine ? '' : `@${comment.user.username} `}
      words={{ label: reply.label(comment.user.name), post: reply.post, posting: texts.posting }}
      posting={discussion.posting !== null}
      onPost={(text, key) => discussion.post({ content: text, replyTo: id }, key).then(onClose)}
      onCancel={onClose}
    />
  );
}

import { displayNameOf } from '#api/members/accounts/user.model.ts';
import type { PublicUser } from '#api/members/accounts/user.model.ts';
import type { Comment } from './comments.contract.ts';
import * as limits from '#contract/limits.ts';
import { iso } from '#platform/clock.ts';
import type { CommentModel } from './comment.model.ts';

/** A comment with its author. */
export type PresentedComment = Pick<
  CommentModel,
  'id' | 'user_id' | 'content' | 'created_at' | 'reply_to' | 'edited_at'
> & {
  readonly hidden?: CommentModel['hidden'];
  readonly hidden_by?: CommentModel['hidden_by'];
  readonly author: PublicUser;
};

/** A comment with its first replies, and how many of them everyone sees. */
export type Thread = PresentedComment & { readonly replies: readonly PresentedComment[]; readonly replyCount: number };

/** Who reads a comment, and when, in milliseconds. */
export interface Viewer {
  /** Null: signed out. */
  readonly userId: string | null;
  /** The poll's creator, who may hide and delete every comment on it. */
  readonly moderates: boolean;
  /** Id of the creator; null: a former member. */
  readonly creator: string | null;
  readonly now: number;
}

/** A comment as a viewer sees it. */
export function presentComment({ author, ...comment }: PresentedComment, viewer: Viewer): Comment {
  const isMine = comment.user_id === viewer.userId;
  const hidden = Boolean(comment.hidden);
  const editableUntil = comment.created_at + limits.commentEditMs;
  return {
    id: comment.id,
    content: comment.content,
    createdAt: iso(comment.created_at),
    ...(comment.reply_to !== null && { replyTo: comment.reply_to }),
    ...(comment.edited_at !== null && { editedAt: iso(comment.edited_at) }),
    ...(isMine && !hidden && viewer.now < editableUntil && { editableUntil: iso(editableUntil) }),
    isMine,
    mayDelete: isMine || viewer.moderates,
    ...(hidden && { hidden: true }),
    ...(viewer.moderates && !isMine && { mayHide: true }),
    user: {
      name: displayNameOf(author),
      username: author.username,
      ...(comment.user_id === viewer.creator && { isCreator: true }),
      ...(author.is_staff && { isStaff: true }),
      firstName: author.first_name,
      lastName: author.last_name,
      profileImageUrl: author.profile_image_url,
    },
  };
}

/** A comment and its first replies as a viewer sees them. */
export function presentThread({ replies, replyCount, ...comment }: Thread, viewer: Viewer): Comment {
  const isSeen = !comment.hidden || (viewer.moderates && comment.hidden_by === 'creator');
  return {
    ...(isSeen ? presentComment(comment, viewer) : removed(comment)),
    ...(replies.length > 0 && { replies: replies.map((reply) => presentComment(reply, viewer)) }),
    ...(replyCount > 0 && { replyCount }),
  };
}

/** What is left of a hidden comment whose replies are shown. */
function removed({ id, created_at }: PresentedComment): Comment {
  const user = { name: '', username: '', firstName: null, lastName: null, profileImageUrl: null };
  return { id, content: '', createdAt: iso(created_at), isMine: false, mayDelete: false, removed: true, user };
}

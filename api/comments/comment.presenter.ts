import { displayNameOf } from '#api/accounts/user.model.ts';
import type { PublicUser } from '#api/accounts/user.model.ts';
import type { Comment } from '#contract/comment.ts';
import { iso } from '#platform/clock.ts';
import type { CommentModel } from './comment.model.ts';

/** A comment with its author. */
export type PresentedComment = Pick<CommentModel, 'id' | 'user_id' | 'content' | 'created_at'> & {
  readonly hidden?: CommentModel['hidden'];
  readonly author: PublicUser;
};

/** Who reads a comment. */
export interface Viewer {
  /** Null: signed out. */
  readonly userId: string | null;
  /** The poll's creator, who may hide and delete every comment on it. */
  readonly moderates: boolean;
}

/** A comment as a viewer sees it. */
export function presentComment({ author, ...comment }: PresentedComment, viewer: Viewer): Comment {
  const isMine = comment.user_id === viewer.userId;
  return {
    id: comment.id,
    content: comment.content,
    createdAt: iso(comment.created_at),
    isMine,
    mayDelete: isMine || viewer.moderates,
    ...(Boolean(comment.hidden) && { hidden: true }),
    ...(viewer.moderates && !isMine && { mayHide: true }),
    user: {
      name: displayNameOf(author),
      firstName: author.first_name,
      lastName: author.last_name,
      profileImageUrl: author.profile_image_url,
    },
  };
}

import type { Comment } from '#contract/comment.ts';
import { displayName } from '#domain/display-name.ts';
import { iso } from '#platform/clock.ts';

/** A comment with what a reader learns of its author. */
export interface CommentRow extends AuthorRow {
  readonly id: string;
  readonly user_id: string;
  readonly content: string;
  readonly created_at: number;
}

export interface AuthorRow {
  readonly username: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly profile_image_url: string | null;
}

/** Who reads a comment. */
export interface Reader {
  /** Null: signed out. */
  readonly userId: string | null;
  /** The poll's creator, who may delete every comment on it. */
  readonly moderates: boolean;
}

/** A comment as one reader sees it. */
export function presentComment(row: CommentRow, reader: Reader): Comment {
  const isMine = row.user_id === reader.userId;
  const { first_name: firstName, last_name: lastName, username } = row;
  return {
    id: row.id,
    content: row.content,
    createdAt: iso(row.created_at),
    isMine,
    mayDelete: isMine || reader.moderates,
    user: {
      name: displayName({ firstName, lastName, username }),
      firstName,
      lastName,
      profileImageUrl: row.profile_image_url,
    },
  };
}

import type { Comment } from '#api/comments/comments.contract.ts';
import { isBlank } from '#domain/visible-text.ts';
import { storedDraft } from '#site/client/stored-draft.ts';
import type { FormDraft } from '#site/client/use-form-values.ts';

/** What is written in a box. */
export interface CommentText {
  readonly text: string;
  /** What is being posted, to which the box gets back if that fails. */
  readonly sent: string;
}

/** Names of drafts: of a comment on a poll, of a reply to a comment, and of its new text. */
export const draftOn = {
  poll: (pollId: string) => `comment-${pollId}`,
  reply: (pollId: string, commentId: string) => `comment-${pollId}-reply-${commentId}`,
  edit: (pollId: string, commentId: string) => `comment-${pollId}-edit-${commentId}`,
} as const;

/** All that is not posted: what was written after emptying the box follows what was posted. */
export const unposted = ({ sent, text }: CommentText): string =>
  [sent, text].filter((part) => !isBlank(part)).join('\n') || text;

const isBlankDraft = ({ sent, text }: CommentText) => sent === '' && text === '';

/** An unposted comment, kept in the tab so that signing in or reloading loses nothing. */
export const commentDraft = (name: string): FormDraft<CommentText> => ({
  name,
  isValid: () => true,
  isBlank: isBlankDraft,
});

/** Whether this tab has an unposted text with this name. */
export const hasDraft = (name: string): boolean => storedDraft(name).read() !== null;

/** Whether this tab has unposted texts for a poll or for one of these comments and their replies. */
export function hasDrafts(pollId: string, comments: readonly Comment[]): boolean {
  const all = comments.flatMap((comment) => [comment, ...(comment.replies ?? [])]);
  const names = all.flatMap(({ id }) => [draftOn.reply(pollId, id), draftOn.edit(pollId, id)]);
  return [draftOn.poll(pollId), ...names].some(hasDraft);
}

import * as limits from '#contract/limits.ts';

/** The discussion under a community poll. */
export const commentTexts = {
  heading: (count: string) => `Community Discussion (${count})`,
  empty: 'No comments yet. Be the first to share your thoughts!',
  list: 'Comments, newest first',
  loading: 'Loading comments',
  label: 'Your comment',
  placeholder: 'Share your thoughts',
  counter: (length: number) => `${length}/${limits.commentLength} characters`,
  post: 'Post Comment',
  posting: 'Posting...',
  logIn: 'Log In to Comment',
  newComments: (count: number, formatted: string) =>
    count === 1 ? 'Show 1 new comment' : `Show ${formatted} new comments`,
  more: 'Show more',
  moreLoading: 'Loading...',
  noScript: 'Joining the discussion needs JavaScript.',

  authenticationTitle: 'Authentication Required',
  authenticationText: 'Please log in to post a comment.',
  fetchFailed: 'Failed to fetch comments',
  fetchFailedText: 'The service didn’t respond. Please try again in a moment.',

  toasts: {
    posted: 'Comment Posted!',
    postFailedTitle: 'Error',
    postFailed: 'Failed to post comment. Please try again.',
    deleted: 'Comment Deleted',
    blocked: 'Member Blocked',
  },

  delete: {
    button: 'Delete',
    label: (name: string) => `Delete comment by ${name}`,
    title: 'Delete this comment?',
    text: 'It will be removed for everyone. This can’t be undone.',
    confirm: 'Delete Comment',
    failed: 'We couldn’t delete the comment. Please try again.',
  },
  hide: {
    button: 'Hide',
    show: 'Show again',
    of: (name: string) => `comment by ${name}`,
    hidden: 'You have hidden this comment. Only you can see it.',
    failed: 'We couldn’t hide or show the comment. Please try again.',
  },
  block: {
    button: 'Block author',
    label: (name: string) => `Block ${name}`,
    title: 'Block this member?',
    text: 'They can no longer comment on any of your polls. Their comments stay until you hide or delete them. You can unblock them under “Your Poll.”',
    confirm: 'Block Member',
    failed: 'We couldn’t block the member. Please try again.',
  },
  closed: 'The creator of this poll has turned comments off.',
  cancel: 'Cancel',
  pending: 'Just a moment...',
} as const;

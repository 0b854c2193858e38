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
  },

  delete: {
    button: 'Delete',
    label: (name: string) => `Delete comment by ${name}`,
    title: 'Delete this comment?',
    text: 'It will be removed for everyone. This can’t be undone.',
    confirm: 'Delete Comment',
    failed: 'We couldn’t delete the comment. Please try again.',
  },
  cancel: 'Cancel',
  pending: 'Just a moment...',
} as const;

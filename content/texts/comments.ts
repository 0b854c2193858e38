import * as limits from '#contract/limits.ts';

/** Words of the discussion under a community poll. */
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
  you: 'You',
  newComments: (count: number, formatted: string) =>
    count === 1 ? 'Show 1 new comment' : `Show ${formatted} new comments`,
  more: 'Show more',
  moreLoading: 'Loading...',
  noScript: 'Joining the discussion needs JavaScript.',

  authenticationTitle: 'Authentication Required',
  authenticationText: 'Please log in to post a comment.',
  blank: 'Please enter a comment before submitting.',
  tooLong: `Comment cannot exceed ${limits.commentLength} characters.`,
  fetchFailed: 'Failed to fetch comments',
  fetchFailedText: 'The service didn’t respond. Please try again in a moment.',

  toasts: {
    posted: 'Comment Posted!',
    postFailedTitle: 'Error',
    postFailed: 'Failed to post comment. Please try again.',
    deleted: 'Comment Deleted',
    reported: 'Thank you',
    reportedText: 'The site’s operator will review the comment.',
  },

  delete: {
    button: 'Delete',
    label: (name: string) => `Delete comment by ${name}`,
    title: 'Delete this comment?',
    text: 'It will be removed for everyone. This can’t be undone.',
    confirm: 'Delete Comment',
    failed: 'We couldn’t delete the comment. Please try again.',
  },
  report: {
    button: 'Report',
    reported: 'Reported',
    label: (name: string) => `Report comment by ${name}`,
    title: 'Report this comment?',
    text: 'The site’s operator will review it and decide whether it stays. The author won’t know who reported it.',
    reason: 'Reason (optional)',
    confirm: 'Send Report',
    failed: 'We couldn’t send the report. Please try again.',
  },
  cancel: 'Cancel',
  pending: 'Just a moment...',
} as const;

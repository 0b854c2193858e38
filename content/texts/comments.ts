import { limits } from '#contract/limits.ts';

/** Words of the discussion under a community poll. */
export const commentTexts = {
  heading: (count: string) => `Community Discussion (${count})`,
  empty: 'No comments yet. Be the first to share your thoughts!',
  list: 'Comments, newest first',
  loading: 'Loading the comments',
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
  noScript: 'Taking part in the discussion needs JavaScript.',

  authenticationTitle: 'Authentication Required',
  authenticationText: 'Please log in to post a comment.',
  blank: 'Please enter a comment before submitting.',
  tooLong: `Comment cannot exceed ${limits.commentLength} characters.`,
  fetchFailed: 'Failed to fetch comments',
  fetchFailedText: 'The service did not answer. Please try again in a moment.',

  toasts: {
    posted: 'Comment Posted!',
    postFailedTitle: 'Error',
    postFailed: 'Failed to post comment. Please try again.',
    deleted: 'Comment Deleted',
    reported: 'Thank you',
    reportedText: 'The operator of this site will look at the comment.',
  },

  delete: {
    button: 'Delete',
    label: (name: string) => `Delete the comment by ${name}`,
    title: 'Delete this comment?',
    text: 'It disappears for everybody. This cannot be undone.',
    confirm: 'Delete Comment',
    failed: 'The comment could not be deleted. Please try again.',
  },
  report: {
    button: 'Report',
    reported: 'Reported',
    label: (name: string) => `Report the comment by ${name}`,
    title: 'Report this comment?',
    text: 'The operator of this site reads it and decides whether it stays. The author does not learn who reported it.',
    reason: 'Reason (optional)',
    confirm: 'Send Report',
    failed: 'The report could not be sent. Please try again.',
  },
  cancel: 'Cancel',
  pending: 'One moment...',
} as const;

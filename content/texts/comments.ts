import * as limits from '#contract/limits.ts';

/** The place of a comment on the page of its poll. */
export const commentAnchor = (commentId: string) => `#comment-${commentId}`;

/** The discussion under a community poll. */
export const commentTexts = {
  heading: (count: string) => `Community Discussion (${count})`,
  empty: 'No comments yet. Be the first to share your thoughts!',
  list: 'Comments, newest first',
  removed: 'This comment is hidden. Its replies are still here.',
  linkTo: (name: string) => `Link to the comment by ${name}, `,
  edited: 'edited',
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

  sessionEnded: 'You’ve been signed out. What you wrote is saved in this tab: log in, and you can continue.',
  continue: 'Log In and Continue',
  linked: {
    heading: 'Linked comment',
    gone: 'The linked comment was deleted or can’t be shown.',
    failed: 'We couldn’t load the linked comment.',
  },
  reply: {
    button: 'Reply',
    to: (name: string) => `to ${name}`,
    list: (name: string) => `Replies to ${name}`,
    more: (count: number) => (count === 1 ? 'Show 1 more reply' : `Show ${count.toLocaleString('en-US')} more replies`),
    label: (name: string) => `Your reply to ${name}`,
    post: 'Post Reply',
    posted: 'Reply Posted!',
  },
  mention: {
    list: 'People in this discussion',
    found: (count: number) =>
      count === 1
        ? '1 person found. Press Enter to mention them.'
        : `${count} people found. Use the arrow keys to choose.`,
  },
  edit: {
    button: 'Edit',
    of: 'this comment',
    label: 'Edit your comment',
    save: 'Save',
    saving: 'Saving...',
    saved: 'Comment Changed',
    failed: 'We couldn’t save the change. Please try again.',
  },

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
    text: 'It will be removed for everyone. Replies to it stay. This can’t be undone.',
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
    title: 'Block this member?',
    text: 'They can no longer comment on any of your polls. Their comments stay until you hide or delete them. You can unblock them under “Your Poll.”',
    confirm: 'Block Member',
    failed: 'We couldn’t block the member. Please try again.',
  },
  closed: 'The creator of this poll has turned comments off.',
  cancel: 'Cancel',
  pending: 'Just a moment...',
} as const;

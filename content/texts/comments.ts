import * as limits from '#contract/limits.ts';

/** The place of a comment on the page of its poll. */
export const commentAnchor = (commentId: string) => `#comment-${commentId}`;

/** The discussion under a community poll. */
export const commentTexts = {
  heading: (count: string) => `Community Discussion (${count})`,
  empty: 'No comments yet. Be the first to share your thoughts!',
  list: 'Comments, newest first',
  removed: 'This comment was removed. Its replies are still here.',
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

  sessionEnded: 'You’ve been signed out. What you wrote is kept in this tab: log in, and you can continue.',
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
  edit: {
    button: 'Edit',
    of: 'your comment',
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
    reported: 'Thank you',
    reportedText: 'The site’s operator will review the comment.',
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

/** Output of `npm run moderate`. */
export const moderateTexts = {
  usage: `Lists reported comments on community polls, and hides or restores comments.

  npm run moderate -- reported            list reported comments, newest report first
  npm run moderate -- hide COMMENT_ID     hide a comment from everyone
  npm run moderate -- unhide COMMENT_ID   show it again
  npm run moderate -- --help              show this help

A hidden comment stays in the database and in this list. The exit code is 0 on success, 1 if the comment does not exist,
and 2 if the command line is invalid.`,
  noVerb: 'Missing command: use reported, hide COMMENT_ID, or unhide COMMENT_ID (see --help).',
  unknownVerb: (verb: string) =>
    `Unknown command: ${verb}. Use reported, hide COMMENT_ID, or unhide COMMENT_ID (see --help).`,
  noComment: (verb: string) =>
    `Missing comment id: npm run moderate -- ${verb} COMMENT_ID (npm run moderate -- reported lists them).`,
  tooManyWords: (verb: string, most: number) =>
    most === 0 ? `${verb} takes no arguments.` : `${verb} takes one comment at a time.`,
  missing: (id: string) => `There is no comment ${id}; its author may have deleted it. Nothing was changed.`,
  outcomes: {
    hide: { changed: (id: string) => `${id} is now hidden.`, unchanged: (id: string) => `${id} was already hidden.` },
    unhide: { changed: (id: string) => `${id} is visible again.`, unchanged: (id: string) => `${id} is not hidden.` },
  },
  none: 'No comments have been reported.',
  title: (count: number) =>
    count === 1
      ? 'One comment has been reported.'
      : `${count.toLocaleString('en-US')} comments have been reported, newest report first.`,
  more: (count: number) => `…and ${count.toLocaleString('en-US')} more with older reports.`,
  heads: {
    id: 'comment',
    state: 'state',
    reports: 'reports',
    reportedAt: 'last report (UTC)',
    author: 'author',
    poll: 'poll',
  },
  states: { hidden: 'hidden', shown: 'shown' },
  text: 'text',
  reasons: 'reasons',
  noReasons: 'none given',
} as const;

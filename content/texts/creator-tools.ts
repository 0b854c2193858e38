/** The creator’s actions on a community poll. */
export const creatorToolsTexts = {
  heading: 'Your Poll',
  takenDown: 'This poll was taken down. Only you can see it.',
  decisions: 'See why, and appeal',
  close: 'Close Poll',
  closeTitle: 'Close this poll now?',
  closeText: 'Voting ends, and everyone who can open the poll will see the results. You can’t reopen it.',
  closeConfirm: 'Close Poll',
  delete: 'Delete Poll',
  deleteTitle: 'Delete this poll?',
  deleteText: 'This deletes the poll with all its votes and comments. It can’t be undone.',
  deleteConfirm: 'Delete Poll',
  cancel: 'Cancel',
  pending: 'Just a moment...',
  failed: 'That didn’t work. Please try again.',
} as const;

/** Inviting people to a private poll. */
export const inviteTexts = {
  heading: 'Invite people',
  label: 'Username',
  hint: 'For now, you can only invite people by username, because email addresses aren’t verified yet.',
  add: 'Invite',
  pending: 'Inviting...',
  listLabel: 'Invited people',
  none: 'Nobody has been invited yet. Only you can open this poll.',
  accepted: 'Has opened the poll',
  waiting: 'Hasn’t opened it yet',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} can no longer open this poll.`,
  undo: 'Undo',
  undoLabel: (name: string) => `Invite ${name} again`,
  invited: (name: string) => `${name} has been invited.`,
  failed: 'We can’t show the invitations right now.',
  changeFailed: 'That didn’t work. Please try again.',
} as const;

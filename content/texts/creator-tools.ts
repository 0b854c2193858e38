/** The creator’s actions on a community poll. */
export const creatorToolsTexts = {
  heading: 'Your Poll',
  takenDown: 'This poll was taken down. Only you can see it.',
  decisions: 'See why, and appeal',
  edit: 'Edit Poll',
  duplicate: 'Duplicate',
  screen: 'Show on a Screen',
  csv: 'Download Results (CSV)',
  close: 'Close Poll',
  closeTitle: 'Close this poll now?',
  closeText: 'Voting ends for good. Everyone who can open the poll will see the results.',
  closeSecretText: 'Voting ends for good. Only you will see the results.',
  closeConfirm: 'Close Poll',
  delete: 'Delete Poll',
  deleteTitle: 'Delete this poll?',
  deleteText: 'This deletes the poll with all its votes and comments. It can’t be undone.',
  deleteConfirm: 'Delete Poll',
  cancel: 'Cancel',
  pending: 'Just a moment...',
  failed: 'That didn’t work. Please try again.',
} as const;

/** Members who can’t comment on the creator’s polls. */
export const blockedTexts = {
  heading: 'Blocked Members',
  note: 'They can’t comment on any of your polls.',
  unblock: 'Unblock',
  unblockLabel: (name: string) => `Unblock ${name}`,
  failed: 'That didn’t work. Please try again.',
} as const;

/** The form that edits a poll. */
export const editPollTexts = {
  heading: 'Edit Poll',
  fixed:
    'People have voted, so the question, the options, and who sees the results stay as they are. Changes to the description and the end are listed in the poll’s edit history.',
  commentsOpen: 'People can comment',
  save: 'Save Changes',
  saved: 'Poll updated',
} as const;

/** Inviting people to a private poll. */
export const inviteTexts = {
  heading: 'Invite people',
  label: (sendsMail: boolean) => (sendsMail ? 'Usernames or email addresses' : 'Usernames'),
  hint: 'Separate several with commas, spaces, or line breaks.',
  mailHint: 'People you invite by address get one email from us, whether they have an account or not.',
  add: 'Invite',
  pending: 'Inviting...',
  results: 'Results of your list',
  done: 'invited',
  listLabel: 'Invited people',
  none: 'Nobody has been invited yet. Only you can open this poll.',
  accepted: 'Has opened the poll',
  waiting: 'Hasn’t opened it yet',
  mailed: 'Invited by email, hasn’t joined yet',
  mailRemoved: (email: string) => `The invitation of ${email} no longer works.`,
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} can no longer open this poll.`,
  undo: 'Undo',
  undoLabel: (name: string) => `Invite ${name} again`,
  invited: (name: string) => `${name} has been invited.`,
  failed: 'We can’t show the invitations right now.',
  changeFailed: 'That didn’t work. Please try again.',
} as const;

/** The link that members join a private poll with, for its creator. */
export const inviteLinkTexts = {
  heading: 'Invitation link',
  note: 'Anyone with this link can join until it expires or you revoke it. People without an account can register first.',
  expiresAfter: 'Expires after',
  days: (days: number) => (days === 1 ? '1 day' : `${days} days`),
  maxUses: 'Members who can join',
  usesBetween: (most: number) => `Enter a number from 1 to ${most}.`,
  create: 'Create Link',
  creating: 'Creating...',
  created: 'The link has been created.',
  copyNow: 'Copy it now: it won’t be shown again.',
  uses: (uses: number, most: number) => `Used ${uses} of ${most} times`,
  usedUp: 'used up',
  expires: 'expires',
  expired: 'expired',
  removing: 'Removing someone from this poll revokes the link, too.',
  revoke: 'Revoke Link',
  revoked: 'The link doesn’t work anymore.',
  failed: 'That didn’t work. Please try again.',
} as const;

/** The page that an invitation link opens. */
export const joinPollTexts = {
  title: 'You’re Invited to a Private Poll',
  description: 'Join a private poll with the link you were given.',
  text: (username: string) => `Join as ${username} to see the poll and vote. Its creator will see that you joined.`,
  join: 'Join Poll',
  joining: 'Joining...',
  signInText: 'Only members can open it. Register or sign in to join; you’ll come back here.',
  register: 'Register',
  signIn: 'Sign In',
  noLink: 'This page needs the complete link you were sent. Open it again from the message.',
  failed: 'That didn’t work. Please try again.',
  loading: 'Loading',
  noScript: 'Joining a poll needs JavaScript, which is switched off in this browser.',
} as const;

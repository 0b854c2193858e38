import type { ApiScope, OperatorPermission, OperatorRole } from '#contract/vocabulary.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Messages of the API about operators. */
export const operatorsApiTexts = {
  role: 'Your role doesn’t allow this. Ask an owner of this site.',
  noScope: (scope: ApiScope) => `This API token doesn’t have the scope “${scope}”.`,
  notForTokens: 'API tokens can’t do this. Sign in on the admin page instead.',
  sharedPasswordOff: 'The shared password is turned off. Sign in as yourself.',
  lastOwner: 'This site needs an owner. Make somebody else an owner first.',
  isOperator: 'You are an operator already.',
  isOperatorMember: 'This member is an operator. Remove the member from the operators first.',
  reservedName: 'Accounts with this username can’t be operators, because the logs would be misleading.',
  noWayBack: 'Add a passkey or create recovery codes first, so that you can’t lock yourself out.',
  notAsYourself: 'Sign in as yourself to turn the shared password off.',
  tooManyTokens: 'There are as many API tokens as there can be. Revoke one first.',
  expired: 'The expiry date must be in the future.',
} as const;

/** The roles in a sentence. */
const inSentence = { owner: 'an owner', editor: 'an editor', moderator: 'a moderator' } as const;

/** The roles of operators. */
export const roleTexts: Readonly<Record<OperatorRole, { readonly name: string; readonly may: string }>> = {
  owner: { name: 'Owner', may: 'Everything, including people, tokens, and settings' },
  editor: { name: 'Editor', may: 'Polls, imports, articles, and publishing' },
  moderator: { name: 'Moderator', may: 'Reports, members, and flagged votes' },
};

/** Who has a permission: owners always do. */
export const permissionTexts = {
  operator: 'all operators',
  owner: 'owners',
  editor: 'editors and owners',
  moderator: 'moderators and owners',
} as const satisfies Record<OperatorPermission, string>;

/** Signing in to the admin pages as a member, and confirming that. */
export const adminSignInTexts = {
  heading: 'Sign in as yourself',
  text: 'If you’re an operator of this site, use your account.',
  notOperator: (username: string) =>
    `You’re signed in as ${username}, who isn’t an operator of this site. Ask an owner for an invitation.`,
  confirmHeading: 'Confirm it’s you',
  confirmText: (username: string) => `You’re signed in as ${username}. Confirm it’s you to open the admin pages.`,
  notForRole: (permission: OperatorPermission) =>
    `This page is for ${permissionTexts[permission]}. Ask an owner of this site if you need it.`,
  passkeyText: 'Your account has a passkey, so the admin pages open with it.',
  dangerText: 'This action is hard to undo, so please confirm it’s you.',
  password: 'Password',
  noPassword: 'Please enter your password.',
  confirm: 'Confirm',
  confirming: 'Checking',
  usePasskey: 'Use a passkey',
  cancel: 'Cancel',
  noPasskeys: 'This browser can’t use passkeys here. Use another browser, or ask an owner.',
  signOut: 'Sign out',
  useShared: 'Use the admin password',
  open: (username: string) => `Open the admin pages as ${username}`,
  failed: 'That didn’t work. Please try again.',
} as const;

/** The admin settings. */
export const settingsTexts = {
  ownersOnly: 'People, the shared password, API tokens, and webhooks are for the owners of this site.',
} as const;

/** Operators and invitations, in the settings. */
export const peopleTexts = {
  heading: 'People',
  text: 'Operators use their own accounts, so that the audit log shows who did what. Passkeys protect the admin pages best.',
  list: 'Operators',
  none: 'Nobody yet. The shared password is the only way to the admin pages.',
  you: 'you',
  since: (day: string, invitedBy: string) => `since ${day}, invited by ${invitedBy}`,
  passkeys: (count: number) => (count === 0 ? 'no passkey' : count === 1 ? '1 passkey' : `${number(count)} passkeys`),
  role: 'Role',
  roleOf: (username: string) => `Role of ${username}`,
  save: 'Save',
  saveRole: (username: string) => `Save the role of ${username}`,
  remove: 'Remove',
  removeName: (username: string) => `Remove ${username}`,
  removeTitle: (username: string) => `Remove ${username}?`,
  removeText:
    'They lose access to these pages right away but keep their account. API tokens and invitations they made stop working.',
  removed: (username: string) => `${username} is no longer an operator.`,
  changed: (username: string, role: OperatorRole) => `${username} is now ${inSentence[role]}.`,
  invite: 'Make an invitation link',
  inviteRole: 'Role of the new operator',
  link: 'Invitation link',
  copying: {
    copy: 'Copy link',
    copied: 'Copied',
    copiedToast: { title: 'Link copied', text: 'Send it to the new operator only.' },
    failedToast: { title: 'Copying failed', text: 'Select the link and copy it.' },
  },
  linkText: (role: OperatorRole, until: string) =>
    `Send this link to the new ${roleTexts[role].name.toLowerCase()}. It works once, until ${until}, and isn’t shown again.`,
  open: 'Open invitations',
  invitation: (role: OperatorRole, madeBy: string, until: string) =>
    `${roleTexts[role].name}, made by ${madeBy}, until ${until}`,
  revoke: 'Revoke',
  revokeName: (role: OperatorRole, until: string) => `Revoke the invitation as ${role} until ${until}`,
  revoked: 'The invitation no longer works.',
  own: 'You opened the admin pages with the shared password.',
  ownText: (username: string) =>
    `Make ${username} an owner, so that the log shows who did what and you no longer need the shared password.`,
  ownSignedOut: 'Sign in or register to become an owner of this site.',
  become: 'Make yourself the owner',
  became: 'You are now an owner, and use the admin pages as yourself from here on.',
} as const;

/** Accepting an invitation. */
export const invitationTexts = {
  heading: 'You’re invited to help run this site',
  signedOut: 'Sign in, or register if you have no account. Then you can accept the invitation.',
  signIn: 'Sign in or register',
  /** Who the invitation makes of the reader, and what that allows. */
  role: (role: OperatorRole) => `You’d be ${inSentence[role]}: ${roleTexts[role].may.toLowerCase()}.`,
  loading: 'Reading the invitation',
  text: (username: string) => `Accept the invitation as ${username}.`,
  accept: 'Accept',
  decline: 'Not now',
  accepted: (role: OperatorRole) => ({
    title: `You are now ${inSentence[role]}`,
    text: `What you can do here: ${roleTexts[role].may.toLowerCase()}.`,
  }),
  failed: 'That didn’t work. Please try again.',
} as const;

/** The shared password, in the settings. */
export const sharedPasswordTexts = {
  heading: 'Shared password',
  text: 'Anyone who knows the admin password may do everything, and the audit log can’t tell who it was. Once you sign in as yourself, you can turn it off.',
  on: 'The shared password opens the admin pages.',
  off: 'The shared password is turned off.',
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  turnOffTitle: 'Turn off the shared password?',
  turnOffText:
    'Programs that use it stop working; give them API tokens. API tokens and invitations made with it stop working, too. If all owners lose access, npm run operate -- admin-password on turns it on again on the server.',
  turnedOff: 'The shared password is turned off.',
  turnedOn: 'The shared password works again.',
  asYourself: 'Sign in as yourself to turn it off.',
} as const;

/** API tokens, in the settings. */
export const tokenTexts = {
  heading: 'API tokens',
  text: 'For programs that import polls, publish, read figures, or edit articles. They send it in the header “Authorization: Bearer …”. Give each program a token of its own.',
  none: 'No tokens.',
  list: 'API tokens',
  scopes: {
    import: 'Import polls',
    publish: 'Publish',
    read: 'Read polls, results, imports, insights, publishing, and metrics',
    content: 'Read, save, publish, and unpublish articles and pages, and upload pictures for them',
  } satisfies Readonly<Record<ApiScope, string>>,
  made: (day: string, by: string) => `made ${day} by ${by}`,
  used: (day: string | null) => (day === null ? 'never used' : `last used ${day}`),
  expires: (day: string, isOver: boolean) => (isOver ? `expired ${day}` : `expires ${day}`),
  neverExpires: 'doesn’t expire',
  create: 'Create a token',
  name: 'Name',
  nameHint: 'What uses it, such as “Nightly import”',
  noName: 'Please enter a name.',
  scopesLabel: 'What it may do',
  noScope: 'Choose at least one.',
  expiry: 'Expires',
  expiries: { 30: 'in 30 days', 90: 'in 90 days', 365: 'in a year', 0: 'never' },
  token: 'Token',
  once: 'Copy the token now. It isn’t shown again.',
  copying: {
    copy: 'Copy token',
    copied: 'Copied',
    copiedToast: { title: 'Token copied', text: 'Keep it where only the program can read it.' },
    failedToast: { title: 'Copying failed', text: 'Select the token and copy it.' },
  },
  revoke: 'Revoke',
  revokeName: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: 'Programs that use it are refused from now on.',
  revoked: 'The token no longer works.',
} as const;

/** The command that turns the shared password on and off. */
export const adminPasswordCommandTexts = {
  usage: `npm run operate -- admin-password on       make the shared admin password open the admin pages again
npm run operate -- admin-password off      turn it off, with the API tokens and invitations
                                   made with it; the site needs an owner
npm run operate -- admin-password status   say whether it is on

The password itself is ADMIN_PASSWORD, or the one that was generated at the first start.`,
  noVerb: 'Missing command: use on, off, or status (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb}. Use on, off, or status (see --help).`,
  tooMany: (word: string) => `Unexpected argument: ${word}`,
  on: 'The shared password opens the admin pages.',
  off: 'The shared password is turned off.',
  noOwner: 'There is no owner yet, so nobody could open the admin pages. Nothing was changed.',
} as const;

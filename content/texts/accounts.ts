import * as limits from '#contract/limits.ts';

/** The sign-in page. */
export const authTexts = {
  pageTitle: 'Sign In',
  description:
    'Sign in, or create an account to make community polls and discuss them. You don’t need an account to vote or read.',
  title: (siteName: string) => `Welcome to ${siteName}`,
  text: 'Join our global polling community to share your voice and discover what the world thinks.',
  tabs: 'Sign in or create an account',
  login: 'Login',
  register: 'Register',
  loginPending: 'Signing you in',
  registerPending: 'Creating your account',
  redirecting: 'You’re signed in. Just a moment.',
  noScript:
    'Signing in needs JavaScript, which is switched off in this browser. You can read reports, the archive, and articles, and vote on this week’s polls without it.',
  why: 'Why create an account?',
  reasons: [
    {
      title: 'Ask your own questions.',
      text: 'Create community polls that are public, open by link only, or just for people you invite.',
    },
    { title: 'Join the discussion.', text: 'Comment on community polls.' },
    { title: 'Keep your votes together.', text: 'Votes cast on this device count as yours everywhere you sign in.' },
  ],
  whyNot: 'You can vote on every public poll and read everything without one.',
} as const;

/** Labels and hints of the fields of an account. */
export const accountFieldTexts = {
  username: 'Username',
  loginHint: 'Or your email address.',
  usernameHint: `${limits.usernameMin} to ${limits.usernameMax} letters, digits, dots, dashes, or underscores. Shown with your comments, and with your polls unless you add a name.`,
  password: 'Password',
  passwordHint: `At least ${limits.passwordMin} characters; a few unrelated words are best. Save it in your browser or a password manager.`,
  email: 'Email',
  emailHint: 'Only you see it. You can sign in with it.',
  firstName: 'First name',
  lastName: 'Last name',
  optional: 'optional',
  showPassword: (label: string) => `Show ${label.toLowerCase()}`,
  currentPassword: 'Current password',
  newPassword: 'New password',
} as const;

/** Notifications about accounts. */
export const accountToasts = {
  loggedIn: { title: 'Welcome back!', text: 'You have successfully logged in.' },
  loginFailed: 'Login failed',
  registered: (siteName: string) => ({
    title: `Welcome to ${siteName}`,
    text: 'Your account has been created successfully.',
  }),
  registrationFailed: 'Registration failed',
  loggedOut: { title: 'Logged out', text: 'You have been successfully logged out.' },
  logoutFailed: 'Logout failed',
  saved: { title: 'Saved', text: 'Your name has been updated.' },
  saveFailed: 'Not saved',
  passwordChanged: { title: 'Password changed', text: 'Every other device has been signed out.' },
  passwordFailed: 'Password not changed',
  downloaded: { title: 'Data downloaded', text: 'The file is in your browser’s downloads.' },
  downloadFailed: 'Download failed',
  deleted: { title: 'Account deleted', text: 'Your account has been deleted.' },
  deletionFailed: 'Account not deleted',
} as const;

/** The menu of a member in the navigation. */
export const accountMenuTexts = {
  signIn: 'Sign In',
  open: (name: string) => `Account: ${name}`,
  links: 'Account',
  figures: 'Your progress',
  badges: 'Badges',
  badgesOf: (earned: string) => `${earned}/${limits.badges}`,
  polls: 'Polls created',
  activities: 'Activities',
  logout: 'Log out',
} as const;

/** Shown instead of a member’s pages until someone is signed in. */
export const gateTexts = {
  title: 'Access Denied',
  text: 'You need to sign in to view your profile.',
  signIn: 'Sign In',
  loading: 'Checking who is signed in',
  leaving: 'You’re signed out. Just a moment.',
  failedTitle: 'We can’t show this page right now',
  failedText: 'The account service didn’t respond. Please try again in a moment; nothing is lost.',
  noScript: 'This page needs JavaScript, which is switched off in this browser.',
} as const;

/** The page on which members change what is kept about them. */
export const accountPageTexts = {
  pageTitle: 'Your Account',
  description: 'Change your name, picture, or password, download your data, or delete your account.',
  kicker: 'Profile',
  title: 'Your Account',
  signedInAs: 'Signed in as',
  cancel: 'Cancel',
  since: 'Member since',
  person: {
    heading: 'Name and picture',
    text: 'Others see them next to your polls and comments. If you don’t enter a name, they see your username.',
    preview: 'This is how others see you',
    save: 'Save',
    saving: 'Saving',
  },
  password: {
    heading: 'Password',
    text: 'Changing your password signs you out on every other device. Passkeys and recovery codes keep working.',
    change: 'Change password',
    changing: 'Changing your password',
  },
  session: {
    heading: 'This device',
    text: 'If you share this device, log out when you’re done. Your other devices stay signed in.',
    logout: 'Log out',
  },
  data: {
    heading: 'Your data',
    text: 'One file with everything we keep about you: account, polls, votes, comments, invitations, activities, and badges. It’s readable by people and programs.',
    download: 'Download my data',
    downloading: 'Collecting your data',
    table: 'Download as a table (CSV)',
  },
  deletion: {
    heading: 'Delete account',
    text: 'This can’t be undone. You may want to download your data first.',
    open: 'Delete my account…',
    title: 'Delete your account?',
    what: [
      'Polls you created close immediately. They stay on the site, credited to a former member.',
      'Your comments are deleted.',
      'Your votes still count, but nothing links them to you anymore.',
      'Your name, picture, email address, activities, and badges are deleted, and you’re signed out on every device.',
    ],
    username: (username: string) => `Type your username, ${username}, to confirm`,
    wrongUsername: (username: string) => `This must be your username, ${username}`,
    confirm: 'Delete my account',
    cancel: 'Keep my account',
    deleting: 'Deleting your account',
    doneTitle: 'Your account has been deleted',
    doneText: 'Thank you for being part of this. You can keep reading and voting without an account.',
    home: 'See today’s polls',
  },
} as const;

/** The fallback when the server gave no error message. */
export const accountFailureTexts = {
  unknown: 'Something went wrong. Please try again.',
  typedStays: 'What you typed is still here. Check it or try again in a moment.',
} as const;

/** Name of the file with everything that is kept about a member. */
export const exportFileName = 'weathervane-data.json';
export const exportTableName = 'weathervane-data.csv';

/** Where a member can go, in the menu of the navigation. */
export const memberLinks = [
  { path: '/profile', text: 'Profile' },
  { path: '/profile/activities', text: 'My Activities' },
  { path: '/profile/badges', text: 'Badge Tracker' },
  { path: '/community-polls?visibility=mine', text: 'Your Polls' },
  { path: '/my-votes', text: 'My Votes' },
  { path: '/profile/account', text: 'Account Settings' },
] as const;

import { limits } from '#contract/limits.ts';

/** The sign-in page. */
export const authTexts = {
  pageTitle: 'Sign In',
  description:
    'Sign in, or make an account to create community polls and discuss them. Voting and reading need no account.',
  title: (siteName: string) => `Welcome to ${siteName}`,
  text: 'Join our global polling community to share your voice and discover what the world thinks.',
  tabs: 'Sign in or make an account',
  login: 'Login',
  register: 'Register',
  loginPending: 'Signing you in',
  registerPending: 'Making your account',
  arrived: 'You are signed in. One moment.',
  noScript:
    'Signing in needs JavaScript, which is switched off in this browser. Reports, the archive and articles can be read without it.',
  why: 'What an account is for',
  reasons: [
    {
      title: 'Ask a question yourself.',
      text: 'Make community polls: public, by link only, or for people you invite.',
    },
    { title: 'Join the discussion.', text: 'Comment on community polls.' },
    { title: 'Keep your votes together.', text: 'What you voted on this device counts as yours on every other one.' },
  ],
  whyNot: 'Every public poll can be voted on, and everything can be read, without one.',
} as const;

/** Labels and hints of the fields of an account. */
export const accountFieldTexts = {
  username: 'Username',
  loginHint: 'Or your email address, if no account listed it before yours.',
  usernameHint: `${limits.usernameMin} to ${limits.usernameMax} letters, digits, dots, dashes or underscores. Everybody sees it beside your polls and comments unless you give a name.`,
  password: 'Password',
  passwordHint: `At least ${limits.passwordMin} characters. Nobody can look it up for you, so let your browser or a password manager keep it.`,
  email: 'Email',
  emailHint: 'Never shown to others. You can sign in with it unless another account listed it first.',
  firstName: 'First name',
  lastName: 'Last name',
  optional: 'optional',
  showPassword: (label: string) => `Show ${label.toLowerCase()}`,
  picture: 'Picture',
  pictureHint: 'Address of a picture on the web. It is loaded from there, not copied.',
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
  saved: { title: 'Saved', text: 'Your name and picture have been changed.' },
  saveFailed: 'Not saved',
  passwordChanged: { title: 'Password changed', text: 'Every other device has been signed out.' },
  passwordFailed: 'Password not changed',
  downloaded: { title: 'Data downloaded', text: 'It is in the file weathervane-data.json.' },
  downloadFailed: 'Download failed',
  deleted: { title: 'Account deleted', text: 'Your account is gone.' },
  deletionFailed: 'Account not deleted',
} as const;

/** The menu of a member in the navigation. */
export const accountMenuTexts = {
  open: (name: string) => `Account of ${name}`,
  links: 'Account',
  figures: 'Your progress',
  badges: 'Badges',
  badgesOf: (earned: string) => `${earned}/${limits.badges}`,
  polls: 'Polls created',
  activities: 'Activities',
  logout: 'Log out',
} as const;

/** What stands before the pages of a member. */
export const gateTexts = {
  title: 'Access Denied',
  text: 'You need to sign in to view your profile.',
  signIn: 'Sign In',
  loading: 'Checking who is signed in',
  leaving: 'You are signed out. One moment.',
  failedTitle: 'This page cannot be shown right now',
  failedText: 'The service that knows your account did not answer. Please try again in a moment; nothing is lost.',
  noScript: 'This page needs JavaScript, which is switched off in this browser.',
} as const;

/** The page on which members change what is kept about them. */
export const accountPageTexts = {
  pageTitle: 'Your Account',
  description: 'Change your name, picture and password, take your data along, or delete your account.',
  kicker: 'Profile',
  title: 'Your Account',
  signedInAs: 'Signed in as',
  since: 'Member since',
  person: {
    heading: 'Name and picture',
    text: 'Others see them beside your polls and comments. Without a name they see your username.',
    pictureFails: 'No picture could be loaded from this address',
    preview: 'This is how others see you',
    save: 'Save',
    saving: 'Saving',
  },
  password: {
    heading: 'Password',
    text: 'Every other device on which you are signed in is signed out when the password changes.',
    change: 'Change password',
    changing: 'Changing your password',
  },
  session: {
    heading: 'This device',
    text: 'On a device that others use too, log out when you leave. Other devices stay signed in.',
    logout: 'Log out',
  },
  data: {
    heading: 'Your data',
    text: 'One file with everything that is kept about you: account, polls, votes, comments, invitations, activities and badges. Programs can read it, and so can you.',
    download: 'Download my data',
    downloading: 'Collecting your data',
  },
  deletion: {
    heading: 'Delete the account',
    text: 'Deleting cannot be undone. You may want to download your data first.',
    open: 'Delete my account…',
    title: 'Delete your account?',
    what: [
      'Polls that you made are closed at once. They stay, as the polls of a former member.',
      'Your comments are deleted.',
      'Your votes stay counted, but nothing connects them with you any more.',
      'Your name, picture, email address, activities and badges are deleted, and every device is signed out.',
    ],
    username: (username: string) => `Type your username, ${username}, to confirm`,
    wrongUsername: (username: string) => `This must be your username, ${username}`,
    confirm: 'Delete my account',
    cancel: 'Keep my account',
    deleting: 'Deleting your account',
    doneTitle: 'Your account is deleted',
    doneText: 'Thank you for having been here. You can go on reading and voting without an account.',
    home: "See today's polls",
  },
} as const;

/** What a failed call about an account says when the server said nothing. */
export const accountFailureTexts = {
  unknown: 'Something went wrong. Please try again.',
  typedKept: 'What you typed is still here. Check it, or try again in a moment.',
} as const;

/** Name of the file with everything that is kept about a member. */
export const exportFileName = 'weathervane-data.json';

/** Where a member can go, in the menu of the navigation. */
export const memberLinks = [
  { path: '/profile', text: 'Profile' },
  { path: '/profile/activities', text: 'My Activities' },
  { path: '/profile/badges', text: 'Badge Tracker' },
] as const;

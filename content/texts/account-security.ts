import * as limits from '#contract/limits.ts';
import type { PasswordWeakness } from '#contract/vocabulary.ts';
import { weakPasswordTexts } from './field-errors.ts';

/** Recovery codes: after registering, and on the account page. */
export const recoveryCodeTexts = {
  heading: 'Recovery codes',
  text: 'If you forget your password, a recovery code gets you back in. Each code works once.',
  left: (count: number) =>
    count === 0 ? 'You have no recovery codes.' : `You have ${count} of ${limits.recoveryCodes} codes left.`,
  noWayBack: 'You have no recovery codes. Without one, you can’t get back in if you forget your password.',
  loading: 'Checking your recovery codes',
  failed: 'We couldn’t check how many codes are left.',
  create: 'Create recovery codes…',
  replace: 'Create new codes…',
  dialogTitle: 'Create new recovery codes?',
  dialogText: 'They are shown once. Any earlier codes stop working.',
  confirm: 'Create codes',
  creating: 'Creating your codes',
  createFailed: 'Codes not created',
  newTitle: 'Save your recovery codes',
  newText:
    'If you forget your password, one of these codes gets you back in. Each works once. They won’t be shown again, so save them in a password manager or on paper.',
  list: 'Recovery codes',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  copied: { title: 'Codes copied', text: 'Paste them into a password manager or a note that only you can read.' },
  copyFailed: { title: 'Codes not copied', text: 'Your browser didn’t allow it. Download or print them instead.' },
  fileName: 'recovery-codes.txt',
  file: (username: string, address: string, codes: readonly string[]) =>
    [
      `Recovery codes for ${username}`,
      `Forgot your password? Go to ${address} and enter one of these codes. Each works once.`,
      '',
      ...codes,
      '',
    ].join('\n'),
  saved: 'I’ve saved them',
} as const;

/** The page for members who have lost their password. */
export const recoverTexts = {
  pageTitle: 'Set a New Password',
  description: 'Forgot your password? A link by email or a recovery code gets you back into your account.',
  title: 'Forgot your password?',
  codeTitle: 'Use a recovery code',
  text: 'Enter your username and one of the recovery codes you saved, and choose a new password. You’ll be signed out everywhere else, your passkeys will be removed, and you’ll need to confirm your email address again.',
  link: 'Forgot your password?',
  linkTitle: 'Choose a new password',
  linkText:
    'Your link works once. You’ll be signed out everywhere else, and your passkeys and recovery codes will be removed. You can create new ones on the account page.',
  back: 'Back to sign-in',
  code: 'Recovery code',
  codeHint: 'Four groups of letters and digits. Capital letters, spaces, and dashes don’t matter.',
  submit: 'Set password and sign in',
  pending: 'Setting your password',
  failed: 'Password not set',
  done: { title: 'Password changed', text: 'You’re signed in, and every other device has been signed out.' },
  mailTitle: 'Get a link by email',
  mailText: 'If your account has a confirmed email address, we’ll send a link to set a new password.',
  mailName: 'Username or email',
  mailSubmit: 'Email me a link',
  mailPending: 'Sending',
  mailFailed: 'Link not requested',
  mailDone:
    'If the account exists and has a confirmed address, the link is on its way. It works once, within an hour. Check your spam folder, too.',
  noCodesTitle: 'No codes left?',
  noCodes: 'If you can show that the account is yours, we can send you a link to set a new password. Write to',
  noScript: 'Setting a new password needs JavaScript, which is switched off in this browser.',
} as const;

/** The email address on the account page. */
export const emailTexts = {
  heading: 'Email',
  text: 'Only you see your address. You can sign in with it.',
  use: 'Once it’s confirmed, we also use it to let you back in, for invitations, and to tell you when your password, address, passkeys, or recovery codes change.',
  noMail: 'This site doesn’t send email, so addresses can’t be confirmed, and we use yours for nothing else.',
  loading: 'Checking your email address',
  failed: 'We couldn’t check your email address.',
  none: 'You have no email address.',
  confirmed: 'Confirmed',
  unconfirmed: 'Not confirmed',
  pending: (address: string) =>
    `Open the link we sent to ${address} to confirm it. It works for ${limits.emailLinkDays} days.`,
  add: 'Add an address…',
  change: 'Change…',
  confirm: 'Confirm…',
  remove: 'Remove…',
  changeTitle: 'Which address?',
  changeText: 'We’ll send a link to it. It becomes your address when you open the link.',
  email: 'Email',
  send: 'Send the link',
  sending: 'Sending',
  sent: { title: 'Check your mailbox', text: 'Open the link we sent to confirm the address.' },
  changeFailed: 'Link not sent',
  removeTitle: 'Remove your email address?',
  removeText: 'Without one, only recovery codes get you back in if you forget your password.',
  removeConfirm: 'Remove address',
  removing: 'Removing',
  removed: { title: 'Email address removed' },
  removeFailed: 'Address not removed',
} as const;

/** Passkeys on the account page, and when signing in. */
export const passkeyTexts = {
  heading: 'Passkeys',
  text: 'A passkey signs you in with your fingerprint, face, or device PIN instead of the password. Your password keeps working.',
  signIn: 'Sign in with a passkey',
  loading: 'Checking your passkeys',
  failed: 'We couldn’t check your passkeys.',
  none: 'You have no passkeys.',
  unnamed: 'Passkey',
  added: (day: string) => `Added ${day}`,
  used: (day: string) => `Last used ${day}`,
  add: 'Add a passkey…',
  addTitle: 'Add a passkey?',
  addText: 'Enter your password first. Then your browser asks where to save the passkey.',
  addConfirm: 'Continue',
  adding: 'Waiting for your device',
  addFailed: 'Passkey not added',
  addedToast: { title: 'Passkey added', text: 'You can sign in with it from now on.' },
  unusable: 'Your browser didn’t finish. Try again, or use another device.',
  rename: 'Rename',
  renameName: (name: string) => `Rename ${name}`,
  renameTitle: 'Rename passkey',
  name: 'Name',
  noName: 'Please enter a name.',
  save: 'Save',
  saving: 'Saving',
  renamed: { title: 'Passkey renamed' },
  renameFailed: 'Passkey not renamed',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'It no longer signs you in. Delete it on your device, too.',
  removeConfirm: 'Remove passkey',
  removing: 'Removing',
  removed: { title: 'Passkey removed' },
  removeFailed: 'Passkey not removed',
} as const;

/** The page that links in mails lead to. */
export const mailLinkTexts = {
  pageTitle: 'Email',
  description: 'Confirm your email address, or unsubscribe.',
  title: 'Confirm your email address',
  text: `Your link works once, within ${limits.emailLinkDays} days of when it was sent.`,
  confirm: 'Confirm address',
  confirming: 'Confirming',
  failed: 'Address not confirmed',
  done: (email: string) => `${email} is confirmed.`,
  account: 'Your account',
  unsubscribeTitle: 'Unsubscribe from notification emails',
  unsubscribeText: 'You’ll still see your notifications on the site.',
  unsubscribe: 'Unsubscribe',
  unsubscribing: 'Unsubscribing',
  unsubscribed: 'You won’t get these emails anymore.',
  stop: {
    unsubscribeTitle: 'Stop invitations by email',
    unsubscribeText: 'Members of this site won’t be able to have invitations mailed to your address anymore.',
    unsubscribe: 'Stop invitations',
    unsubscribed: 'You won’t get any more invitations at this address.',
  },
  noLink: 'This page needs a link from one of our emails. The one you opened is incomplete.',
  noScript: 'Confirming an address needs JavaScript, which is switched off in this browser.',
} as const;

/** How easy a new password is to guess, while it is typed. */
export const passwordTexts = {
  short: `Too short: at least ${limits.passwordMin} characters.`,
  strength: (score: number, weakness: PasswordWeakness) => {
    if (score < 2) return `Too easy to guess: ${weakPasswordTexts[weakness]}.`;
    if (score === 2) return 'Good enough. Another word or two would make it strong.';
    return score === 3 ? 'Strong.' : 'Very strong.';
  },
} as const;

/** What signing in asks for after a right password, when many wrong ones were tried. */
export const secondStepTexts = {
  title: 'One more step',
  text: 'Your password is right. Because someone tried many wrong ones, we need another proof that it’s you, as this device is new.',
  code: 'Code',
  codeHint: (mail: boolean) =>
    mail ? 'From our email, or one of your recovery codes.' : 'One of your recovery codes.',
  mail: 'Email me a code',
  mailed: `We’ve sent six digits to your address. They’re valid for ${limits.mailedCodeMinutes} minutes.`,
  notMailed: 'We’ve sent as many codes as an address gets in an hour. Please use another way.',
  otherWays: (until: string) =>
    `No code? Open your account settings on a device where you’re signed in, and say that it’s you. Or wait until ${until}. Then sign in again, on this device.`,
  waiting: 'Nobody has said yet that it’s you. You can also enter a code, or wait.',
} as const;

/** The question about sign-ins that wait for a second step, on the account page. */
export const waitingSignInTexts = {
  heading: 'Is it you?',
  question: (device: string | null) =>
    `Someone signs in from ${device ?? 'an unknown device'} with your password. Is it you?`,
  until: (moment: string) => `Without an answer, the password opens your account there from ${moment}.`,
  yes: 'Yes, it’s me',
  no: 'No',
  allowed: { title: 'Sign-in allowed', text: 'Sign in again on the new device.' },
  refused: { title: 'Sign-in refused', text: 'Someone knows your password. Choose a new one now.' },
  failed: 'Answer not saved',
} as const;

/** The sessions of an account. */
export const sessionTexts = {
  heading: 'Where you’re signed in',
  text: 'Sessions end 30 days after their last use, and 90 days after you signed in. If you sign out any other device, all others have to prove that it’s you when someone has tried many wrong passwords.',
  loading: 'Checking where you’re signed in',
  failed: 'We couldn’t check where you’re signed in.',
  unknown: 'Unknown device',
  current: 'This device',
  used: (day: string) => `Last used ${day}`,
  end: 'Sign out',
  endName: (device: string) => `Sign out ${device}`,
  endOthers: 'Sign out everywhere else…',
  oneTitle: (device: string) => `Sign out ${device}?`,
  othersTitle: 'Sign out everywhere else?',
  dialogText: 'Enter your password to confirm. If you don’t recognize a device, change your password, too.',
  confirm: 'Sign out',
  endingAction: 'Signing out',
  endFailed: 'Not signed out',
  ended: { title: 'Signed out', text: 'That takes effect immediately.' },
} as const;

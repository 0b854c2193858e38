import { emailLinkDays, invitationDays, mailedCodeMinutes } from '#contract/limits.ts';

/** A line of a mail, perhaps a link. */
export interface MailLine {
  readonly text: string;
  readonly url?: string;
}

/** What a mail says, without HTML. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly list?: readonly MailLine[];
  readonly action?: { readonly label: string; readonly url: string };
  readonly footer: readonly MailLine[];
}

/** The site that sends a mail. */
export interface MailSite {
  readonly siteName: string;
  readonly publicUrl: string;
}

const siteLine = ({ siteName, publicUrl }: MailSite): MailLine => ({ text: siteName, url: publicUrl });

/** Mails about an account. */
export const accountMails = {
  resetPassword: (site: MailSite, username: string, url: string): MailText => ({
    subject: `Set a new password for ${site.siteName}`,
    paragraphs: [
      `Someone, probably you, asked to set a new password for the account ${username}.`,
      'The link works once, within an hour. A new password signs you out on every other device, and removes your passkeys and recovery codes.',
      'If it wasn’t you, ignore this email. Your password won’t change.',
    ],
    action: { label: 'Set a new password', url },
    footer: [siteLine(site)],
  }),
  confirmEmail: (site: MailSite, username: string, url: string): MailText => ({
    subject: `Confirm your email address for ${site.siteName}`,
    paragraphs: [
      `The account ${username} wants to use this email address to recover the account and receive invitations.`,
      `The link works once, within ${emailLinkDays} days.`,
      'If you don’t know this account, ignore this email. The address won’t be used.',
    ],
    action: { label: 'Confirm this address', url },
    footer: [siteLine(site)],
  }),
  confirmReminder: (site: MailSite, username: string, url: string): MailText => ({
    subject: `Reminder: confirm your email address for ${site.siteName}`,
    paragraphs: [
      `The account ${username} asked to use this email address ${emailLinkDays} days ago. It isn’t confirmed yet, so we can’t use it to let you back in.`,
      `This link replaces the earlier one. It works once, within ${emailLinkDays} days. We won’t remind you again.`,
      'If you don’t know this account, ignore this email. The address won’t be used.',
    ],
    action: { label: 'Confirm this address', url },
    footer: [siteLine(site)],
  }),
  emailChanged: (site: MailSite, username: string): MailText =>
    notice(site, 'Your email address was changed', [
      `The account ${username} has a new email address. This one is no longer used.`,
    ]),
  emailRemoved: (site: MailSite, username: string): MailText =>
    notice(site, 'Your email address was removed', [
      `The account ${username} no longer has an email address. You won’t get any more email about it.`,
    ]),
  signInCode: (site: MailSite, username: string, code: string): MailText => ({
    subject: `${code} is your code to sign in to ${site.siteName}`,
    paragraphs: [
      `Your code is ${code}. Enter it on the page where you’re signing in as ${username}, within ${mailedCodeMinutes} minutes.`,
      'If you aren’t signing in right now, someone else knows your password: choose a new one right away, and don’t tell anyone the code.',
    ],
    footer: [siteLine(site)],
  }),
  passwordChanged: (site: MailSite, username: string): MailText =>
    notice(site, 'Your password was changed', [
      `The account ${username} has a new password, and every other device has been signed out.`,
      'After a change on the account page, passkeys and recovery codes keep working.',
    ]),
  passkeyAdded: (site: MailSite, username: string): MailText =>
    notice(site, 'A passkey was added', [`A new passkey can sign in to the account ${username}.`]),
  passkeyRemoved: (site: MailSite, username: string): MailText =>
    notice(site, 'A passkey was removed', [`A passkey can no longer sign in to the account ${username}.`]),
  codesCreated: (site: MailSite, username: string): MailText =>
    notice(
      site,
      'New recovery codes were created',
      [`The account ${username} has new recovery codes. Earlier ones no longer work.`],
      'If it wasn’t you, set a new password with a link by email right away.',
    ),
} as const;

/**
 * Mails to an address that somebody entered to vote. They don’t name the poll, which others may read in the mailbox, nor
 * anything that the sender wrote.
 */
export const voteCodeMail = {
  code: (site: MailSite, code: string): MailText => ({
    subject: `${code} is your code to vote on ${site.siteName}`,
    paragraphs: [
      `Your code is ${code}. Enter it on the page where you asked for it, within ${mailedCodeMinutes} minutes.`,
      'The address is used for one vote on that poll. We don’t store it with the vote, and don’t send anything else to it.',
      'If you didn’t ask for a code, ignore this email, and don’t tell anyone the code.',
    ],
    footer: [siteLine(site)],
  }),
  used: (site: MailSite): MailText => ({
    subject: `This address was already used to vote on ${site.siteName}`,
    paragraphs: [
      'Someone, probably you, asked for a code to vote on a poll with this email address. It was already used for a vote on that poll, and works once per poll.',
      'If it wasn’t you, ignore this email. Nobody can vote with your address without a code that is sent to you.',
    ],
    footer: [siteLine(site)],
  }),
};

/** An invitation to a private poll. Nothing in it was written by its sender, who could otherwise mail anything to anyone. */
export const invitationMail = (site: MailSite, url: string, stopUrl: string): MailText => ({
  subject: `You’re invited to a private poll on ${site.siteName}`,
  paragraphs: [
    `A member of ${site.siteName} invited this email address to a private poll. Only people who are invited can see it and vote.`,
    `You need an account to join; you can create one when you open the link. It works for one person, within ${invitationDays} days.`,
    'If you don’t want to join, ignore this email. The member won’t know whether you read it.',
  ],
  action: { label: 'Open the invitation', url },
  footer: [siteLine(site), { text: 'Stop invitations to this address', url: stopUrl }],
});

/** A mail about a change that its reader may not have made. */
function notice(
  site: MailSite,
  subject: string,
  paragraphs: readonly string[],
  advice = 'If it wasn’t you, set a new password with one of your recovery codes right away.',
): MailText {
  return {
    subject: `${subject} on ${site.siteName}`,
    paragraphs: [...paragraphs, advice],
    action: { label: 'Recover the account', url: `${site.publicUrl}/auth/recover` },
    footer: [siteLine(site)],
  };
}

import type { MailLine, MailSite, MailText } from './mail.ts';

const some = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The mail about what needs a decision. */
export const todayMails = {
  needsDecision: (site: MailSite, list: readonly MailLine[]): MailText => ({
    subject: `${some(list.length, 'thing needs', 'things need')} a decision at ${site.siteName}`,
    paragraphs: ['This waits for a decision on the admin pages:'],
    list,
    action: { label: 'Open Today', url: `${site.publicUrl}/admin` },
    footer: [
      {
        text: 'At most one such mail a day, unless something new comes up. Turn it off',
        url: `${site.publicUrl}/admin/settings#today-mail`,
      },
      { text: site.siteName, url: site.publicUrl },
    ],
  }),
} as const;

/** The setting for this mail. */
export const todayMailTexts = {
  heading: 'Mail about decisions',
  text: 'At most once a day, or when something of a new kind comes up: reports, votes held, failed publishes, a full disk, and what else Today lists.',
  label: (address: string) => `Mail to ${address} what needs a decision`,
  off: 'This site sends no mail.',
  noMember: 'Sign in as yourself to get this mail: the shared password has no email address.',
  noAddress: 'Your account has no confirmed email address.',
  account: 'Account',
} as const;

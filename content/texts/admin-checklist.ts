import type { BackupTest, Checklist, ChecklistStep } from '#api/admin/today/today.contract.ts';
import type { MailSite, MailText } from './mail.ts';

const number = (value: number) => value.toLocaleString('en-US');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** The mail that tests the mail server. */
export const testMail = (site: MailSite): MailText => ({
  subject: `Test mail from ${site.siteName}`,
  paragraphs: ['If you can read this, the site can send mail.', 'Check that it didn’t arrive in the spam folder.'],
  footer: [{ text: site.siteName, url: site.publicUrl }],
});

/** Refusals and errors of backup tests. */
export const backupTestTexts = {
  running: 'A backup test is already running.',
  inMemory: 'The database is in memory and can’t be backed up.',
  interrupted: 'The test was interrupted. Please start it again.',
  noRoom: (free: number, wanted: number) =>
    `A backup test needs room for copies of the database: ${gigabytes(wanted)}, and ${gigabytes(free)} are free. Free up space on the server.`,
} as const;

type Proxy = Checklist['proxy'];

/** The steps of setting up the site: each with why, and what to do. */
export const checklistTexts = {
  heading: 'Set up your site',
  text: 'What a new site needs before the first reader comes. Most steps are checked, not ticked off.',
  progress: (done: number, all: number) => `${number(done)} of ${number(all)} steps done`,
  states: { done: 'Done', todo: 'To do', problem: 'Problem' },
  confirmed: 'Confirmed',
  undo: 'Not done after all',
  undoName: (step: string) => `Not done after all: ${step}`,
  dismiss: 'Hide this list',
  hidden: 'The setup list is hidden.',
  show: 'Show it',
  keep: 'Show this list until it is done',
  again: 'Check again',
  steps: {
    'site-name': {
      title: 'Name',
      why: 'It is in every title, feed, and mail.',
      todo: 'Set SITE_NAME, or confirm that you keep the name.',
      confirm: 'Keep this name',
    },
    'public-url': {
      title: 'Public address',
      why: 'Shared links, feeds, and emails contain it.',
      todo: 'Set PUBLIC_URL to the https:// address that readers use.',
      confirm: null,
    },
    proxy: {
      title: 'Proxy and HTTPS',
      why: 'Limits count by the reader’s address, and cookies and passwords need encryption.',
      todo: 'This can be checked once the site has its public address.',
      confirm: null,
    },
    owner: {
      title: 'Owner',
      why: 'The shared password opens the admin pages for anyone who knows it, and the audit log can’t tell who did what.',
      todo: 'Sign in or register, make yourself the owner, and add a passkey to your account. Then you can turn the shared password off.',
      confirm: null,
    },
    'support-email': {
      title: 'Support email',
      why: 'Readers write to it about their data, and the law asks for a contact.',
      todo: 'Set SUPPORT_EMAIL to an address that somebody reads.',
      confirm: null,
    },
    'legal-texts': {
      title: 'Legal texts',
      why: 'The terms and the privacy policy bind you, not us. They name you as the operator.',
      todo: 'Read them, change what doesn’t fit, and confirm.',
      confirm: 'I have reviewed them',
    },
    mail: {
      title: 'Mail',
      why: 'Without mail, only recovery codes let members back into their accounts, and you hear of nothing unless you look here.',
      todo: 'Set SMTP_URL and MAIL_FROM, or confirm that the site sends no mail.',
      confirm: 'This site sends no mail',
    },
    backup: {
      title: 'Backup',
      why: 'Votes can’t be collected again. A backup that was never restored may not be one.',
      todo: 'Test it here: a real backup is made, restored in a temporary place, and compared. Then run npm run backup every day.',
      confirm: 'We back up in another way',
    },
    demonstration: {
      title: 'Demo data',
      why: 'Readers could take our sample polls for yours.',
      todo: 'Remove it when you have seen enough.',
      confirm: null,
    },
  } as const satisfies Record<
    ChecklistStep,
    { readonly title: string; readonly why: string; readonly todo: string; readonly confirm: string | null }
  >,
  siteName: (name: string) => `The site is called “${name}”.`,
  publicUrl: (url: string) => `The site’s address is ${url}.`,
  plainUrl: 'Passwords and cookies would travel unencrypted. Put a proxy with a certificate in front of the site.',
  people: 'People, in the settings',
  supportEmail: (address: string) => `Readers write to ${address}.`,
  legalLinks: { '/terms': 'Terms of Use', '/privacy': 'Privacy Policy', '/disclaimer': 'Disclaimer' },
  seen: ({ protocol, address, secureCookies }: Proxy) =>
    `The server sees you at ${address}${protocol === null ? '' : `, over ${protocol}`}. ${secureCookies ? 'Cookies are for https only.' : 'Cookies also travel without encryption.'}`,
  proxyProblems: {
    'other-address': 'You opened this page at another address than PUBLIC_URL: signing in and sharing work only there.',
    'plain-http': 'This page came without encryption. Readers must be redirected to https.',
    'other-protocol':
      'PUBLIC_URL and the protocol that the proxy reports differ. Have the proxy set X-Forwarded-Proto.',
    'no-client-address':
      'All readers seem to have the server’s own address, so one of them could use up everybody’s limits. Have the proxy set X-Forwarded-For, and add its address to TRUSTED_PROXIES.',
    clock:
      'The clocks of the server and this device differ by more than a minute. Polls open and close by the server’s.',
  } as const satisfies Record<Proxy['problems'][number], string>,
  mail: {
    address: 'Send a test mail to',
    hint: 'It is used for this mail only.',
    missing: 'Please enter an email address.',
    send: 'Send',
    sending: 'Sending',
    accepted: (address: string) => `The mail server accepted a mail to ${address}. Please look whether it arrived.`,
    refused: (reason: string) => `The mail was not sent: ${reason}`,
    off: 'The site sends no mail.',
  },
  backup: {
    start: 'Test the backup',
    startAgain: 'Test again',
    phases: {
      copying: 'Copying the database',
      packing: 'Packing',
      unpacking: 'Verifying the file',
      checking: 'Comparing with the original',
    } as const satisfies Record<BackupTest['phase'], string>,
    percent: (percent: number) => `${number(percent)}%`,
    passed: (megabytes: string) => `The backup was complete and readable (${megabytes} MB).`,
    failed: (reason: string) => `The test failed: ${reason}`,
    last: 'Last backup:',
    never: 'npm run backup has not been used yet.',
  },
  demonstration: (count: number) =>
    count === 0 ? 'There are no demo polls.' : `${some(count, 'demo poll', 'demo polls')} left.`,
  removeDemonstration: 'Remove them on the page Polls',
} as const;

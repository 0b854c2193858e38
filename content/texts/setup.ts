/** What each question of `npm run setup` asks for. */
const questions = {
  SITE_NAME: 'Name of the site',
  PUBLIC_URL: 'Address that visitors see',
  SUPPORT_EMAIL: 'Email address for visitors who need help',
  TIME_ZONE: 'Time zone',
  SMTP_URL: 'Mail server (smtp://user:password@host:587, - for none)',
  DEMO_DATA: 'Demo polls, while the site is empty (on or off)',
} as const;

/** Output of `npm run setup`. */
export const setupTexts = {
  help: `npm run setup             set up a new site: settings, owner, backup
npm run setup -- FILE     with the settings in FILE instead of .env

Asks for the settings that a public site needs, and writes them to the file; everything else in it stays. Then it
prepares the database, creates the account of the owner, takes a backup, and restores it in a temporary place. It can be
run again: what is there already is offered as the answer, or skipped. Answers can also come from a file, one per line.`,
  welcome: 'Press Enter for what is in brackets. Every setting can be changed later.\n',
  question: (name: keyof typeof questions, present: string) => `${questions[name]} [${present || 'none'}]: `,
  ended: 'The input ended before the last question. Run npm run setup again: it continues with what is missing.',
  unwritable: (value: string) =>
    `“${value}” can’t be written to a file of settings: it has every kind of quotation mark. Leave one of them out.`,
  fileHead: '# Settings of this site. .env.example lists all of them.',
  written: (file: string) => `\nThe settings are in ${file}.`,
  tooMany: (word: string) => `Unexpected argument: ${word}.`,
  owner: '\nThe owner’s account opens the admin pages:',
  username: 'Username: ',
  password: 'Password: ',
  passwordAgain: 'Password again: ',
  passwordsDiffer: 'The two passwords differ. Try again.',
  hasOwner: 'This site already has an owner.',
  recoveryCodes: (username: string, codes: readonly string[]) =>
    [
      `\n${username} owns this site. If the password or a passkey is lost, one of these codes opens the account. Store them`,
      'now; they are not shown again:',
      ...codes.map((code) => `  ${code}`),
    ].join('\n'),
  backupProven: (kilobytes: number) =>
    `\nA backup of this site (${kilobytes.toLocaleString('en-US')} kB) was taken, restored in a temporary place, and compared: it works.`,
  done: (address: string) =>
    [
      '\nWhat is left:',
      '  npm start                  publishes and serves the site',
      `  ${address}/admin   has the rest of the first day: passkey, test mail, legal pages`,
      '  npm run backup -- DIR      belongs in a timer, with DIR on another machine',
    ].join('\n'),
} as const;

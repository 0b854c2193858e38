/** Members on the admin page, found by name: their reset links, pictures, and suspensions. */
export const memberTexts = {
  heading: 'Members',
  text: 'If a member has lost both the password and the recovery codes, create a link to set a new password. Make sure you send it to the account’s owner. You can also remove a picture that doesn’t belong on the site, and suspend a member.',
  name: 'Username or email address',
  find: 'Find',
  noName: 'Please enter a username or an email address.',
  found: (count: number, name: string) =>
    count === 0 ? `There is no member “${name}”.` : count === 1 ? '1 member' : `${count} members`,
  since: 'member since',
  make: 'Create reset link',
  makeName: (username: string) => `Create reset link for ${username}`,
  removePicture: 'Remove picture',
  removePictureName: (username: string) => `Remove picture of ${username}`,
  link: (username: string) => `Reset link for ${username}`,
  decide: (suspended: boolean) => (suspended ? 'Change suspension' : 'Suspend'),
  decideName: (username: string, suspended: boolean) => `${memberTexts.decide(suspended)}: ${username}`,
  isOperator: 'Operators can’t be suspended. An owner can remove them from the operators first, under Settings.',
  once: (username: string, time: string) =>
    `Send this link to ${username}. It works once, until ${time}, and isn’t shown again.`,
} as const;

/** The command for accounts. */
export const accountsCommandTexts = {
  usage: `npm run operate -- accounts reset NAME             print a link that lets a member set a new password
npm run operate -- accounts sign-out NAME          end every session of a member
npm run operate -- accounts remove-picture NAME    remove the picture of a member
npm run operate -- accounts remove-passkeys NAME   remove the passkeys of a member who lost them all

NAME is the username, or the email address if only one account has it. The link works once within an hour, and replaces
earlier ones. Make sure you send it to the account’s owner.`,
  noVerb: 'Missing command: use reset NAME, sign-out NAME, remove-picture NAME, or remove-passkeys NAME (see --help).',
  unknownVerb: (verb: string) =>
    `Unknown command: ${verb}. Use reset NAME, sign-out NAME, remove-picture NAME, or remove-passkeys NAME (see --help).`,
  noName: (verb: string) => `Missing username: npm run operate -- accounts ${verb} NAME`,
  signedOut: (username: string) => `${username} is signed out on every device.`,
  pictureRemoved: (username: string) => `${username} has no picture.`,
  passkeysRemoved: (username: string) => `${username} has no passkeys.`,
  tooMany: 'One account at a time, please.',
  notFound: (name: string) => `There is no account “${name}”.`,
  several: (name: string, usernames: readonly string[]) =>
    `Several accounts have the email address “${name}”: ${usernames.join(', ')}. Repeat the command with one of these usernames.`,
  done: (username: string, url: string, until: string) =>
    `Send this link to ${username}. It works once, until ${until}, and isn’t stored.\n\n${url}`,
} as const;

const number = (value: number) => value.toLocaleString('en-US');
const members = (count: number) => `${number(count)} ${count === 1 ? 'member' : 'members'}`;
const badges = (count: number) => `${number(count)} ${count === 1 ? 'badge' : 'badges'}`;

/** Output of `npm run operate -- badges`. */
export const badgesCommandTexts = {
  usage: `Lists badges and how many members hold them.

  npm run operate -- badges list                       list all badges: key, name, category, kind, holders
  npm run operate -- badges list --user NAME           show one member’s badges and progress
  npm run operate -- badges --help                     show this help

The exit code is 0 on success, 1 if the member does not exist, and 2 if the command line is invalid.`,
  noVerb: 'Missing command: use list (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb}. Use list (see --help).`,
  tooMany: (word: string) => `Unexpected argument: ${word}. To choose a member, use --user NAME.`,
  noSuchMember: (name: string) => `There is no member “${name}”.`,
  heads: { key: 'key', name: 'name', category: 'category', tier: 'kind', holders: 'holders' },
  memberHeads: { key: 'key', name: 'name', state: 'earned (UTC) or progress' },
  hidden: 'hidden until earned',
  total: (held: number, count: number) => `${badges(held)} held by ${members(count)}.`,
} as const;

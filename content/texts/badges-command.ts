const number = (value: number) => value.toLocaleString('en-US');
const members = (count: number) => `${number(count)} ${count === 1 ? 'member' : 'members'}`;
const badges = (count: number) => `${number(count)} ${count === 1 ? 'badge' : 'badges'}`;

/** Output of `npm run operate -- badges`. */
export const badgesCommandTexts = {
  usage: `Lists badges and how many members hold them, and recalculates badges and progress.

  npm run operate -- badges list                       list all badges: key, name, category, kind, holders
  npm run operate -- badges list --user NAME           show one member’s badges and progress
  npm run operate -- badges recompute                  recalculate from every member’s full history
  npm run operate -- badges recompute --user NAME      do the same for one member, by username
  npm run operate -- badges --help                     show this help

Badges and progress are normally updated as members act. You need recompute only after badge rules change or figures are
damaged. It adds missing badges and corrects figures; it never removes a badge. It is safe to run while the site is up.
The exit code is 0 on success, 1 if the member does not exist or a member could not be recalculated, and 2 if the command
line is invalid.`,
  noVerb: 'Missing command: use list or recompute (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb}. Use list or recompute (see --help).`,
  tooMany: (word: string) => `Unexpected argument: ${word}. To choose a member, use --user NAME.`,
  noSuchMember: (name: string) => `There is no member “${name}”. Nothing was changed.`,
  bar: '{text} [{bar}] {value} of {total} members',
  counting: 'Counting',
  done: (count: number, added: number, corrected: number) =>
    added === 0 && corrected === 0
      ? `Recalculated ${members(count)}. Everything was correct.`
      : `Recalculated ${members(count)}: ${badges(added)} added, figures of ${members(corrected)} corrected.`,
  added: (member: string, names: readonly string[]) => `  ${member}: ${names.join(', ')}`,
  more: (count: number) => `  …and ${badges(count)} for other members.`,
  failed: (count: number) => `${members(count)} could not be recalculated; see the log above.`,
  heads: { key: 'key', name: 'name', category: 'category', tier: 'kind', holders: 'holders' },
  memberHeads: { key: 'key', name: 'name', state: 'earned (UTC) or progress' },
  hidden: 'hidden until earned',
  total: (held: number, count: number) => `${badges(held)} held by ${members(count)}.`,
} as const;

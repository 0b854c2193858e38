const number = (value: number) => value.toLocaleString('en');
const members = (count: number) => `${number(count)} ${count === 1 ? 'member' : 'members'}`;
const badges = (count: number) => `${number(count)} ${count === 1 ? 'badge' : 'badges'}`;

/** What `npm run badges` says to the operator. */
export const badgesCommandTexts = {
  usage: `Lists the badges with how many members hold them, and counts badges and progress anew.

  npm run badges -- list                       all badges: key, name, category, kind, holders
  npm run badges -- list --user NAME           one member's badges and progress
  npm run badges -- recompute                  counts the whole history of every member anew
  npm run badges -- recompute --user NAME      the same for one member, by username
  npm run badges -- --help                     shows this text

Progress and badges are counted while members do things; recompute gives the same and is needed only after the rules of
badges were changed or figures were damaged. It adds badges that are missing, corrects figures, and takes no badge away.
The site may run meanwhile. The command ends with 0 when all is well, with 1 when there is no such member or somebody
could not be counted, and with 2 when it was not understood.`,
  noVerb: 'What shall be done? Say list or recompute (--help shows all).',
  unknownVerb: (verb: string) => `"${verb}" is not something that this command does. Say list or recompute.`,
  tooMany: (word: string) => `"${word}" is too much: a member is named with --user NAME.`,
  noSuchMember: (name: string) => `There is no member "${name}". Nothing was changed.`,
  bar: '{text} [{bar}] {value} of {total} members',
  counting: 'Counting',
  done: (count: number, added: number, corrected: number) =>
    added === 0 && corrected === 0
      ? `Counted ${members(count)} anew. Everything was right.`
      : `Counted ${members(count)} anew: ${badges(added)} added, figures of ${members(corrected)} corrected.`,
  added: (member: string, names: readonly string[]) => `  ${member}: ${names.join(', ')}`,
  more: (count: number) => `  … and ${badges(count)} of others.`,
  failed: (count: number) => `${members(count)} could not be counted; the log above says why.`,
  heads: { key: 'key', name: 'name', category: 'category', tier: 'kind', holders: 'holders' },
  memberHeads: { key: 'key', name: 'name', state: 'earned (UTC), or how far' },
  hidden: 'hidden until earned',
  total: (held: number, count: number) => `${badges(held)} held by ${members(count)}.`,
} as const;

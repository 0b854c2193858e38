interface Evidence {
  readonly networks: number;
  readonly option: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly noticed: string;
}

const votes = (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'}`;

/** For the creator of a community poll: votes that look automated. */
export const suspiciousVotesTexts = {
  heading: 'Suspicious votes',
  note: 'These votes look as if a program had cast them. Set them aside, and they aren’t counted; release them, and they are. Nothing is deleted, and the poll shows both figures with the reason.',
  raiseNote:
    'You can also ask more of votes from now on. The votes so far stay, the poll says since when more is needed, and it can’t be lowered again.',
  raise: (name: string) => `Raise to: ${name.toLowerCase()}`,
  states: {
    held: (formatted: string, count: number) => `${votes(formatted, count)} held:`,
    'set-aside': (formatted: string, count: number) => `${votes(formatted, count)} set aside:`,
    released: (formatted: string, count: number) => `${votes(formatted, count)} released and counted:`,
    expired: (formatted: string, count: number) =>
      `${votes(formatted, count)} counted again, as nobody decided in time:`,
  },
  evidence: ({ networks, option, from, to, noticed }: Evidence) =>
    [
      `Noticed on ${noticed}`,
      ...(networks > 0 ? [networks === 1 ? 'all from one network' : `from ${networks} networks`] : []),
      ...(option === null ? [] : [`all for “${option}”`]),
      ...(from === null ? [] : [`since ${from}`]),
      ...(to === null ? [] : [`until ${to}`]),
    ].join(', ') + '.',
  expires: (moment: string, isUnchecked: boolean) =>
    `Unless you decide, they are ${isUnchecked ? 'set aside' : 'counted again'} on ${moment}.`,
  reason: 'Your reason, for the log (optional)',
  'set-aside': 'Set aside',
  release: 'Release',
  failed: 'Your decision was not saved.',
} as const;

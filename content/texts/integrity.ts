/** The page about what is counted. */
export const integrityPath = '/integrity';

/** Votes received and counted, wherever a result is shown. Browsers load only this constant. */
export const voteFigureTexts = {
  received: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'} received`,
  counted: (formatted: string) => `${formatted} counted`,
  independent: (formatted: string) => `${formatted} of them independent (at most one per network)`,
  /** Follows the figures of a flagged poll; the moment is that of the detector’s last run. */
  independentSoFar: (moment: string) =>
    `Independent votes as of ${moment}, without networks that vote unlike the others and without imported votes. Nobody can recount them: networks are deleted 30 days after the end.`,
  independentAtEnd:
    'Independent votes as fixed after the end, without networks that vote unlike the others and without imported votes. Nobody can recount them: networks are deleted after 30 days.',
  /** The leaders of independent votes, and those of all counted votes. */
  otherLeader: (independent: readonly string[], counted: readonly string[]) => {
    const list = (some: readonly string[]) => some.map((text) => `“${text}”`).join(' and ');
    const verb = independent.length === 1 ? 'leads' : 'tie for the lead';
    return `With one vote per network, ${list(independent)} ${verb}, not ${list(counted)}.`;
  },
  setAside: (formatted: string, reasons: string) => `${formatted} set aside${reasons}`,
  held: (formatted: string, reasons: string) => `${formatted} held for a decision${reasons}`,
  /** Follows the number of votes that are not counted. */
  because: (reasons: readonly string[]) => ` (${reasons.join('; ')})`,
  /** On the page of a poll whose author has turned published ballots off. */
  unpublished: 'The ballots of this poll are not published, so nobody else can recount it.',
  /** Link to the page that explains it. */
  why: 'What this means',
} as const;

/** The page about what is counted, outside its text. */
export const integrityTexts = {
  /** The heading of content/pages/integrity.md before which the decisions are listed. */
  decisionsBefore: 'check-it-yourself',
  totals: 'All votes on listed polls',
  figures: { receivedVotes: 'Received', countedVotes: 'Counted', setAsideVotes: 'Set aside', heldVotes: 'Held' },
  imported: (formatted: string) => `${formatted} of the counted votes came with imported polls and can’t be verified.`,
  withoutDemonstration: 'Demo polls and the votes on them don’t count toward these totals.',
  none: 'So far, no vote has been held or set aside.',
  more: (shown: string, total: string) => `The newest ${shown} of ${total} decisions.`,
  states: {
    held: (votes: string, reason: string) => `${votes} held for a decision: ${reason}.`,
    'set-aside': (votes: string, reason: string) => `${votes} set aside: ${reason}.`,
    released: (votes: string, reason: string) => `${votes} counted after all: ${reason}.`,
    expired: (votes: string, reason: string) => `${votes} counted after all because nobody decided in time: ${reason}.`,
  },
  votes: (formatted: string, count: number) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
  linksHeading: 'Further reading',
  links: [
    { path: '/historical', text: 'Reports of closed polls, each with its recount' },
    { path: '/my-votes', text: 'The receipts on this device' },
    { path: '/integrity/key', text: 'The key that checkpoints are signed with' },
    {
      path: '/integrity/log/checkpoint',
      text: 'The newest checkpoint of the site-wide log, with the lines of witnesses that cosigned it',
    },
    { path: '/api/integrity', text: 'These figures as JSON' },
    { path: '/privacy', text: 'What is stored about a vote, and for how long' },
    { path: '/blog/one-vote-each-nearly', text: 'How we distinguish browsers, and what a stubborn person can do' },
  ],
} as const;

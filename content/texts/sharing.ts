/** Link preview pictures, open results, and citations. */
export const sharingTexts = {
  picture: {
    headline: 'Which way is the wind blowing?',
    openKicker: 'Poll',
    closedKicker: 'Poll Closed',
    articleKicker: 'Article',
    closed: (day: string) => `Closed ${day}`,
    vote: 'One vote per browser, no account needed.',
    ofVotes: (formatted: string, count: number) => `of ${formatted} ${count === 1 ? 'vote' : 'votes'}`,
    voters: (formatted: string, count: number) =>
      `${formatted} ${count === 1 ? 'voter' : 'voters'}, several answers each`,
    lastRound: (round: number, counted: string, all: string) =>
      `round ${round} of the count: ${counted} of ${all} votes`,
    nobody: 'Nobody voted on this poll.',
    noneCounted: 'No vote on this poll is counted.',
    provisional: 'Votes are being checked. No conclusion yet.',
    /** Votes received, where not all of them are counted. */
    ofReceived: (received: string, counted: string) => `${received} votes received, ${counted} counted`,
    independent: (formatted: string) => `${formatted} independent`,
    otherLeader: 'Another answer leads with one vote per network.',
    alt: {
      site: (siteName: string) => `${siteName}: a weathervane, and the words “Which way is the wind blowing?”`,
      article: (title: string) => `Article: ${title}`,
      open: (question: string) => `Poll: ${question}`,
      result: (question: string, result: string) => `Closed poll: ${question} ${result}`,
      leading: (leader: string, percent: string, votes: string) => `${percent} ${votes} chose “${leader}”.`,
      tied: (answers: number, percent: string, votes: string) =>
        `${answers} answers are tied with ${percent} ${votes} each.`,
    },
  },
  cite: {
    line: (of: { author: string; question: string; siteName: string; closed: string; votes: string; report: string }) =>
      `${of.author}. “${of.question}” ${of.author === of.siteName ? 'Poll' : `Poll on ${of.siteName}`}, closed ${of.closed}: ${of.votes}. ${of.report}`,
    /** `figures`: votes received and counted, where they differ. */
    votes: (
      formatted: string,
      count: number,
      figures: string | null,
      {
        origin,
        source,
      }: { readonly origin: 'imported' | 'both' | 'demo' | undefined; readonly source: string | undefined },
    ) => {
      const imported = source === undefined ? 'imported' : `imported from ${source}`;
      const number = count === 1 ? '1 vote' : `${formatted} votes`;
      const votes =
        count === 0
          ? 'no votes'
          : origin === 'imported'
            ? `${number}, ${imported}`
            : origin === 'both'
              ? `${number}, some of them ${imported}`
              : count === 1
                ? `${number} by a self-selected voter`
                : `${number} by self-selected voters`;
      return figures === null ? votes : `${votes}; ${figures}`;
    },
  },
  /** The license of results, with the same wording in every format. */
  license: {
    label: 'License:',
    name: 'CC BY 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    selfSelected: 'The voters chose themselves.',
  },
  open: {
    license: (siteName: string, report: string) =>
      `CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). Attribution: ${siteName}, ${report}. The voters chose themselves.`,
    importedLicense: (report: string, source: { readonly license?: string; readonly link?: string }) =>
      `The answers were collected elsewhere; this site grants no license to them. ${source.license === undefined ? 'Their source may.' : `License of the source: ${source.license}.`}${source.link === undefined ? '' : ` Source: ${source.link} .`} Report: ${report}.`,
    checksumOf:
      'the UTF-8 text of these lines, each followed by a line feed: poll.id; poll.closedAt (empty when null); totalVotes; then, for each option in order, its id, votes, and text, separated by tabs',
    notFound: 'There are no open results at this address: the poll doesn’t exist or is still open.',
    noPicture: 'There is no picture at this address.',
    busy: 'The server is busy right now. Please try again in a moment.',
  },
} as const;

/** Share buttons. */
export const shareTexts = {
  share: 'Share',
  linkCopied: { title: 'Link Copied!' },
  linkFailed: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
  copied: { title: 'Copied!' },
  copyFailed: { title: 'Copy Failed', text: 'Could not copy to clipboard. Please copy manually.' },
} as const;

/** Citation and downloads of a report. */
export const openResultsTexts = {
  heading: 'Open Results',
  lede: 'Anyone may check, quote, and reuse these figures, as long as they name this site, link to this report, and include the sentence “The voters chose themselves.”',
  importedLede:
    'These answers were collected elsewhere, and this site grants no license to them. Ask their source before you reuse more than the figures.',
  license: (text: string) => `License of the source: ${text}.`,
  source: 'See the source',
  cite: 'Cite this',
  copyCitation: 'Copy Citation',
  csv: 'CSV for spreadsheets',
  json: 'JSON for programs',
  download: 'Download',
  check: 'Check',
  recount: 'Recount this poll yourself',
} as const;

/** The field with a link to copy. */
export const copyLinkTexts = {
  copy: 'Copy Link',
  copied: 'Link Copied!',
  copiedToast: { title: 'Link Copied!', text: 'The link to this poll is on your clipboard.' },
  failedToast: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
} as const;

/** Words of what is made for sharing: pictures of links, open results, citations. */
export const sharingTexts = {
  picture: {
    headline: 'Which way is the wind blowing?',
    openKicker: 'Poll',
    closedKicker: 'Poll Closed',
    articleKicker: 'Article',
    /** Instead of words that cannot be drawn in the headline's letters. */
    openQuestion: 'A question is asked. Which way do you lean?',
    closedQuestion: 'A question was asked. This is how people answered.',
    articleTitle: 'On reading and making polls',
    leadingAnswer: 'The leading answer',
    vote: 'One vote each, no account needed.',
    ofVotes: (formatted: string, count: number) => `of ${formatted} ${count === 1 ? 'vote' : 'votes'}`,
    tie: (answers: number) => `each: ${answers} answers are tied`,
    nobody: 'Nobody voted on this poll.',
    alt: {
      site: (siteName: string) => `${siteName}: a weathervane, and the words “Which way is the wind blowing?”`,
      article: (title: string) => `An article: ${title}`,
      open: (question: string) => `A poll: ${question}`,
      result: (question: string, result: string) => `A closed poll: ${question} ${result}`,
      leading: (leader: string, percent: string, votes: string) => `${percent} ${votes} are for “${leader}”.`,
      tied: (answers: number, percent: string, votes: string) =>
        `${answers} answers are tied with ${percent} ${votes} each.`,
    },
  },
  cite: {
    line: (of: { author: string; question: string; siteName: string; closed: string; votes: string; report: string }) =>
      `${of.author}. “${of.question}” ${of.author === of.siteName ? 'Poll' : `Poll on ${of.siteName}`}, closed ${of.closed}: ${of.votes}. ${of.report}`,
    votes: (formatted: string, count: number) =>
      count === 1 ? '1 self-selected voter' : `${formatted} self-selected voters`,
  },
  /** The license of results, in the same words wherever they can be taken from. */
  license: {
    label: 'License:',
    name: 'CC BY 4.0',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    selfSelected: 'The voters chose themselves.',
  },
  open: {
    license: (siteName: string, report: string) =>
      `CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). Attribution: ${siteName}, ${report}. The voters chose themselves.`,
    checksumOf:
      'the UTF-8 text of these lines, each ended by a line feed: poll.id; poll.closedAt (empty when null); totalVotes; then for every option in order its id, votes and text with a tab between them',
    notFound: 'There are no open results at this address: the poll is missing or still open.',
    noPicture: 'There is no picture at this address.',
    busy: 'This cannot be answered right now. Please try again in a moment.',
  },
} as const;

/** Words of share buttons, of code to embed, and of what a report offers to take along. */
export const shareTexts = {
  share: 'Share',
  linkCopied: { title: 'Link Copied!' },
  linkFailed: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
  copied: { title: 'Copied!' },
  copyFailed: { title: 'Copy Failed', text: 'Could not copy to clipboard. Please copy manually.' },
  embed: {
    heading: 'Embed this poll',
    label: 'HTML for your own page',
    note: 'It shows the question, and the results once the poll is closed. It sets no cookies.',
    copy: 'Copy HTML',
    title: (question: string) => `Poll: ${question}`,
  },
  take: {
    heading: 'Open Results',
    lede: 'Anyone may check, quote, and reuse these figures, with the name of this site, a link to this report, and the sentence “The voters chose themselves.”',
    cite: 'Cite this',
    copyCitation: 'Copy Citation',
    csv: 'CSV for spreadsheets',
    json: 'JSON for programs',
    download: 'Download',
  },
} as const;

/** Link preview pictures, open results, and citations. */
export const sharingTexts = {
  picture: {
    headline: 'Which way is the wind blowing?',
    openKicker: 'Poll',
    closedKicker: 'Poll Closed',
    articleKicker: 'Article',
    /** Used when the headline font can’t draw the original text. */
    openQuestion: 'A question is asked. Which way do you lean?',
    closedQuestion: 'Here’s how people answered.',
    articleTitle: 'On reading and making polls',
    leadingAnswer: 'The leading answer',
    vote: 'One vote each, no account needed.',
    ofVotes: (formatted: string, count: number) => `of ${formatted} ${count === 1 ? 'vote' : 'votes'}`,
    tie: (answers: number) => `each: ${answers} answers are tied`,
    nobody: 'Nobody voted on this poll.',
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
    votes: (formatted: string, count: number) => {
      if (count === 0) return 'no votes';
      return count === 1 ? '1 self-selected voter' : `${formatted} self-selected voters`;
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
    checksumOf:
      'the UTF-8 text of these lines, each followed by a line feed: poll.id; poll.closedAt (empty when null); totalVotes; then, for each option in order, its id, votes, and text, separated by tabs',
    notFound: 'There are no open results at this address: the poll doesn’t exist or is still open.',
    noPicture: 'There is no picture at this address.',
    busy: 'The server is busy right now. Please try again in a moment.',
  },
} as const;

/** Share buttons, embed code, and the downloads of a report. */
export const shareTexts = {
  share: 'Share',
  linkCopied: { title: 'Link Copied!' },
  linkFailed: { title: 'Copy Failed', text: 'Could not copy link to clipboard. Please copy manually.' },
  copied: { title: 'Copied!' },
  copyFailed: { title: 'Copy Failed', text: 'Could not copy to clipboard. Please copy manually.' },
  embed: {
    heading: 'Embed this poll',
    label: 'HTML for your own page',
    note: 'It shows the question, and the results once the poll closes. It sets no cookies.',
    copy: 'Copy HTML',
    title: (question: string) => `Poll: ${question}`,
  },
  take: {
    heading: 'Open Results',
    lede: 'Anyone may check, quote, and reuse these figures, as long as they name this site, link to this report, and include the sentence “The voters chose themselves.”',
    cite: 'Cite this',
    copyCitation: 'Copy Citation',
    csv: 'CSV for spreadsheets',
    json: 'JSON for programs',
    download: 'Download',
  },
} as const;

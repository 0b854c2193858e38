/** The code that embeds a poll. */
export const embedCodeTexts = {
  heading: 'Embed this poll',
  seriesHeading: 'Embed this chart',
  label: 'HTML for your own page',
  note: 'It shows question, answers, and results, and opens a window of this site to vote. It sets no cookies. The script at its end, which you can leave out, fits the frame to the poll.',
  copy: 'Copy HTML',
  seriesNote:
    'It shows the chart, also of later polls. It sets no cookies. The script at its end, which you can leave out, fits the frame to the chart.',
  voting: (sites: string, address: string) =>
    `In pages of ${sites}, visitors can vote in place if the address of the frame is ${address}`,
  title: (question: string) => `Poll: ${question}`,
  seriesTitle: (name: string) => `Poll series: ${name}`,
} as const;

/** A poll embedded in someone else’s page. */
export const embedTexts = {
  title: (question: string, siteName: string) => `${question} · ${siteName}`,
  closed: 'Poll Closed',
  open: 'Open Poll',
  vote: 'Vote on this poll',
  page: 'Open the poll’s page',
  report: 'Read the report',
  series: 'See all polls of this series',
  newPage: '(opens in a new tab)',
  answers: 'Answers to choose from',
  results: 'Results',
  votes: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'}`,
  nobody: 'Nobody voted on this poll.',
  noneCounted: 'No vote on this poll is counted.',
  note: 'The voters chose themselves. The result speaks only for those who voted.',
  importedNote: 'These answers were collected elsewhere and imported.',
  openNote:
    'Your choice opens the poll in a window of its own, where you confirm it. One vote per browser, no account needed.',
  copy: 'If no window opens, copy this address:',
  soFar: (votes: string) => `Results so far: ${votes}`,
} as const;

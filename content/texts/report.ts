import { circumstanceTexts } from './circumstances.ts';
// Created once, because creating one is slow.
const lists = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** The report page of a closed poll. */
export const reportTexts = {
  title: (question: string) => `${question} · Poll results`,
  breadcrumbLabel: 'Breadcrumb',
  home: 'Home',
  archive: 'Historical Polls',
  closedBadge: 'Poll Closed',
  by: 'By',
  closed: 'Closed',
  recently: 'Recently',
  updated: 'Updated',
  tags: 'Tags',
  answers: (count: number, formatted: string) => (count === 1 ? `${formatted} answer` : `${formatted} answers`),
  tilesHeading: 'The poll in numbers',
  tiles: {
    participants: 'Total Participants',
    leading: 'Leading Response',
    days: 'Days Active',
    options: 'Response Options',
    notComputable: 'N/A',
    noVotes: 'No votes',
    provisional: 'Under review',
    sharedBy: (count: number) => `tie between ${count} answers`,
  },
  background: 'Poll Background',
  results: 'Results & Analysis',
  breakdown: 'Every answer, most votes first',
  scaleBreakdown: 'Every answer, in the order of the scale',
  tail: (count: number, percent: string) => `Show the other ${count} answers, with ${percent} of the votes`,
  about: 'About this poll',
  columns: { rank: 'Rank', option: 'Response', votes: 'Votes', percent: 'Percent', margin: 'Ahead of the next' },
  margin: { points: (formatted: string) => `+${formatted} points`, hardly: '+<0.1 points', tie: 'tied' },
  unranked: '–',
  totalResponses: 'Total Responses',
  countries: 'Geographic Distribution',
  countriesUnit: 'Share of the voters whose country is known',
  otherCountries: 'Other',
  map: 'World map of these countries; darker ones have larger shares.',
  expert: 'Expert Analysis',
  methodology: 'Methodology & Limitations',
  related: 'Related Polls',
  backToArchive: 'Back to Poll Archive',
  /** Where the answers come from, beside their number. */
  origin: {
    imported: 'imported',
    unknown: 'imported, source not stated',
    bothFrom: (source: string, siteName: string) => `${source}, and cast on ${siteName}`,
    both: (siteName: string) => `imported, and cast on ${siteName}`,
    demo: 'invented for the demo',
    here: (siteName: string) => `cast on ${siteName}`,
  },
  technique: 'Online poll with self-selected voters; raw counts, one vote per browser, no weighting',
  generated: {
    finding: 'A program wrote the finding from the counts.',
    analysis: 'A program wrote this analysis from the counts.',
  },
  votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
  votesUnit: (count: number) => (count === 1 ? 'vote' : 'votes'),
  vane: (percent: string) => `The leading answer has ${percent}`,

  /** Generated when the operator wrote no text of their own; domain/report-wording picks the tier. */
  wording: {
    votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
    quoted: (text: string) => `“${text}”`,
    list: (texts: readonly string[]) => lists.format(texts),
    percent: (formatted: string) => `${formatted}%`,
    points: (formatted: string) => `${formatted} percentage points`,
    hardlyAnyPoints: 'less than 0.1 percentage points',
    ahead: (points: string, runnerUp: string) => `, ${points} ahead of ${runnerUp}`,

    nobody: 'Nobody voted on this poll, so there is no result to report.',
    noneCounted: 'None of the votes on this poll is counted, so there is no result to report.',
    provisional: 'This result is provisional: no conclusion is drawn while votes are held for a decision.',
    tie: (options: string, percent: string, votes: string) => `A tie: ${options} each received ${percent} of ${votes}.`,
    single: (leader: string) => `One person answered: ${leader}.`,
    split: (leader: string, percent: string, votes: string, ahead: string) =>
      `Split down the middle: ${leader} received ${percent} of ${votes}${ahead}.`,
    narrow: (leader: string, percent: string, votes: string, ahead: string) =>
      `A narrow lead: ${leader} received ${percent} of ${votes}${ahead}.`,
    other: (leader: string, percent: string, votes: string, ahead: string) =>
      `None of the suggested answers leads: ${leader} received ${percent} of ${votes}${ahead}.`,
    landslide: (leader: string, percent: string, votes: string, ahead: string) =>
      `A clear consensus, by a landslide: ${leader} received ${percent} of ${votes}${ahead}.`,
    unpopular: (leader: string, percent: string, votes: string, ahead: string) =>
      `Divided opinion without a favorite: ${leader} comes first with only ${percent} of ${votes}${ahead}.`,
    consensus: (leader: string, percent: string, votes: string, ahead: string) =>
      `A clear consensus: ${leader} received ${percent} of ${votes}${ahead}.`,
    plurality: (leader: string, percent: string, votes: string, ahead: string) =>
      `A strong plurality: ${leader} received ${percent} of ${votes}${ahead}.`,
    moderate: (leader: string, percent: string, votes: string, ahead: string) =>
      `A moderate lead: ${leader} received ${percent} of ${votes}${ahead}.`,
    divided: (leader: string, percent: string, votes: string, ahead: string) =>
      `Divided opinion: ${leader} comes first with only ${percent} of ${votes}${ahead}.`,
    few: 'With so few answers, this tells you only about the people who gave them.',

    explainNobody: 'A poll without votes says nothing about the question. It stays here for the record.',
    explainNoneCounted: 'All votes were set aside. The figures above say how many, and why.',
    explainProvisional:
      'Some of the votes don’t look as if people cast them one by one. They are not counted until somebody has decided about them, and the decision may change which answer leads. The figures above are those of the votes counted so far.',
    explainTie: 'The top answers have exactly the same number of votes, so none of them leads.',
    explainSingle: 'One vote says what one person thinks, and nothing about anybody else.',
    explainSplit: 'The two leading answers are so close that a few more voters could have turned the result.',
    explainNarrow: 'The lead is so small that a few more voters could have turned the result.',
    explainOther: 'Those who chose it missed their answer among the others, or didn’t want any of them.',
    explainLandslide: 'At least three quarters of the counted votes went to the same answer.',
    explainUnpopular: 'More than three quarters of the votes went to other answers, so no answer was a favorite.',
    explainConsensus: 'More than half of the counted votes went to the same answer.',
    explainPlurality: 'No answer has more than half of the votes, but this one has more than 40%.',
    explainModerate: 'The leading answer took between 30% and 40% of the votes; most votes went to other answers.',
    explainDivided: 'No answer took more than 30% of the votes: opinion is divided.',
    margin: (leader: string, runnerUp: string, points: string) =>
      `The margin between ${leader} and ${runnerUp} is ${points}.`,

    /** In place of the standard paragraph where all answers were given elsewhere. */
    imported: (isDescribed: boolean) =>
      `These answers were not given here: this site shows counts that its operator imported. ${isDescribed ? 'What is known about how they were collected is stated above.' : 'Who collected them, how, and from whom is not stated.'} The counts are shown as they came, and this site can’t check them.`,
    provenance: {
      source: (text: string) => `Source: ${text}.`,
      sample: (text: string) => `Sample or base: ${text}.`,
      fieldDates: (text: string) => `Field dates: ${text}.`,
      mode: (text: string) => `Mode: ${text}.`,
      sponsor: (text: string) => `Sponsor: ${text}.`,
      license: (text: string) => `License of the source: ${text}.`,
      link: (text: string) => `Link: ${text}`,
    },
    both: 'Some of these votes were imported; how those were collected is known only as far as it is stated above. What follows is about the votes that were cast here.',
    ...circumstanceTexts,

    /** The paragraph of every report with votes that were cast here, whatever else its methodology says. */
    standard:
      'Votes are anonymous: there is one vote per browser, and browsers are distinguished by a fingerprint. That is not one vote per person. Votes that look automated can be set aside; if any were, the figures say so. The voters are a self-selected convenience sample: people who happened to come here and wanted to answer. Results are raw counts without any weighting. Selection bias is therefore certain, and the result speaks only for those who voted. This poll is for entertainment and discussion; it is not scientific research.',
  },
} as const;

/** The chart of a report. A separate constant, because browsers load only this one. */
export const chartTexts = {
  choose: 'Chart type',
  pie: 'Pie',
  bar: 'Bar',
  description: (kind: string, parts: string) => `${kind} chart: ${parts}.`,
  table: 'All figures are in the table.',
  part: (name: string, percent: string) => `${name} ${percent}`,
  tooltip: (text: string, votes: string, percent: string) => `${text}: ${votes} · ${percent}`,
  figure: 'Chart of the results',
  toward: 'Toward',
  download: 'Download chart',
  png: 'PNG',
  svg: 'SVG',
  pngFailed: 'This browser couldn’t draw the picture. Please download the SVG instead.',
  /** Under the chart in a file of its own. */
  nobody: 'Nobody voted on this poll.',
  source: (of: { votes: string; closed: string; siteName: string; host: string }) =>
    `${of.votes} · closed ${of.closed} · ${of.siteName}, ${of.host} · The voters chose themselves.`,
  importedSource: (of: { votes: string; closed: string; siteName: string; host: string }) =>
    `${of.votes} · imported · closed ${of.closed} · ${of.siteName}, ${of.host}`,
  votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
} as const;

/** How the votes of a closed poll came in. */
export const timelineTexts = {
  heading: 'Votes over Time',
  byDay: 'From the first day to the last',
  byHour: 'The first 48 hours',
  days: (count: number) => (count === 1 ? 'day' : `${count} days`),
  hours: (count: number) => (count === 1 ? 'hour' : `${count} hours`),
  note: (period: string) =>
    `Lines: each answer’s share of all votes so far. Bars: votes per ${period}. Days and hours are in UTC.`,
  imported: (count: number, formatted: string) =>
    count === 1
      ? 'One imported vote has no date and is left out.'
      : `${formatted} imported votes have no dates and are left out.`,
  description: (title: string) => `Line chart: ${title}. All figures are in the table below it.`,
  numbers: 'The numbers',
  from: 'From',
  votes: 'Votes',
} as const;

/** How opinion moved between polls that ask the same question. */
export const seriesTexts = {
  heading: 'The Same Question Over Time',
  moved: (option: string, isGain: boolean, points: string, from: string, to: string) =>
    `“${option}” is ${isGain ? 'up' : 'down'} the most since the first poll shown: ${points} percentage points, from ${from} to ${to}.`,
  steady: 'No answer moved between the first poll shown and the last.',
  caveat:
    'Each poll had different, self-selected voters. A change may mean that people changed their minds, or only that other people voted.',
  importedCaveat:
    'Each poll had different respondents. A change may mean that people changed their minds, or only that other people answered.',
  severalOrigins:
    'Rings are polls whose answers were imported, dots those whose answers were cast here. They were collected in different ways, so a change from one to the other may come from that alone.',
  gaps: 'Shaded: more than twice the usual time passed without a poll.',
  more: (count: number) =>
    count === 1 ? 'One more answer appears only in the table.' : `${count} more answers appear only in the table.`,
  description: (name: string) => `Line chart: ${name}. All figures are in the table below it.`,
  table: 'Share of each answer, poll by poll',
  wave: 'Closed',
  votes: 'Votes',
  notOffered: '–',
  base: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
  current: 'this poll',
  note: (day: string, note: string) => `${day}: ${note}`,
  origins: { here: 'cast here', imported: 'imported', both: 'in part imported', demo: 'demo' },
  all: 'All polls of this series',
  partOf: 'Series:',
} as const;

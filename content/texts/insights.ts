import { hostLabels, siteInsightDays } from '#api/admin/insights/insights.contract.ts';

const number = (value: number) => value.toLocaleString('en-US');

/** Figures about a poll, or about all polls. */
export const insightTexts = {
  heading: 'Insights',
  ofPoll: (question: string) => `Insights: ${question}`,
  back: 'All polls',
  pollText:
    'Sums for this poll, counted on this server and shared with nobody. They contain nothing about single visitors, and are deleted after 13 months.',
  siteText: `Sums for all of your polls over the last ${siteInsightDays} days, counted on this server and shared with nobody.`,
  received: 'Received votes',
  counted: 'Counted votes',
  imported: 'Imported votes',
  sinceBeginning: 'since the beginning',
  byDay: 'Votes by day',
  byHour: 'Votes by hour of the day',
  zone: (zone: string) => `Times are in ${zone}.`,
  onlyDays: 'The hours of these votes were erased before they were counted; the days are in UTC.',
  hosts: 'Votes by referring site',
  hostsNote: 'The site whose link led to the page on which the vote was cast, if the browser tells.',
  shares: 'Shares',
  sharesNote: 'How often the link of the poll was copied or passed to the share sheet.',
  embeds: 'Embed views',
  embedsNote:
    'How often an embedded poll was loaded at least, by the site that shows it: browsers and caches may show a copy for a minute.',
  none: 'None yet',
  day: 'Day',
  hour: 'Hour',
  votes: 'Votes',
  site: 'Site',
  way: 'How',
  count: 'Number',
  numbers: 'The numbers',
  chart: (title: string, most: number) => `${title}, at most ${number(most)}`,
  labels: {
    [hostLabels.none]: 'Direct or unknown',
    [hostLabels.own]: 'This site',
    [hostLabels.other]: 'Other sites',
    copy: 'Link copied',
    system: 'Share sheet',
  } as Readonly<Record<string, string>>,
} as const;

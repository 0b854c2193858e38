import type { BadgeCategory } from '#contract/badges.ts';
import type { Activity } from '#contract/profile.ts';
import type { ActivityType, Visibility } from '#contract/vocabulary.ts';
import { badgeCategoryNames } from './badges.ts';

/** One of `one`, or as many as there are of `many`. */
const counted = (one: string, many: string) => (formatted: string, count: number) =>
  `${formatted} ${count === 1 ? one : many}`;

/** What the three pages of a member say alike. */
export const memberPageTexts = {
  profile: 'Profile',
  figures: {
    label: 'Your figures',
    votes: 'Votes Cast',
    polls: 'Polls Created',
    comments: 'Comments',
    badges: 'Badges Earned',
    badgesOf: (total: string) => `of ${total}`,
  },
  failed: {
    text: 'The service that keeps your profile did not answer. Please try again in a moment; nothing is lost.',
    stale: 'The service cannot be reached. What you see may be a little old.',
  },
} as const;

/** The profile. */
export const profileTexts = {
  pageTitle: 'Your Profile',
  description: 'What you voted, asked, said and earned here.',
  loading: 'Opening your profile',
  failedTitle: 'Your profile cannot be shown right now',
  joined: 'Joined',
  settings: 'Account settings',

  achievements: {
    heading: 'Achievements',
    tally: (earned: string, total: string) => `${earned}/${total}`,
    tallyMeans: (earned: string, total: string) => `${earned} of ${total} badges earned`,
    outside: 'Outside the categories',
    tracker: 'Open the Badge Tracker',
    emptyTitle: 'The first page of your album is still blank',
    emptyText: (total: number, categories: readonly (readonly [BadgeCategory, number])[]) =>
      `There are ${total} badges to earn in ${categories.length} categories: ${categories
        .map(([category, count]) => `${badgeCategoryNames[category]} ${count}`)
        .join(', ')}.`,
    emptyMore: (others: number) => `The other ${others} stand outside the categories, and some of those are surprises.`,
    emptyAction: "See today's polls",
  },

  polls: {
    heading: 'Your Polls',
    all: 'View All Polls',
    empty: 'You have not asked anything yet. A community poll takes a question and two answers.',
    create: 'Create a poll',
  },

  recent: {
    heading: 'Recent Activity',
    all: 'View All Activities',
    empty: 'Nothing yet. What you vote, ask and say is kept here, and only you can see it.',
  },

  year: {
    heading: 'Your Year',
    failedTitle: 'Your year cannot be shown right now',
    /** What the picture shows, for those who do not see it. */
    picture: 'Calendar of the last year: a dot for each day, larger the more you did, and a bar for each week.',
    reading:
      'Votes, polls and comments count. Each column is a week from Monday to Sunday, its sum a bar below; days are UTC.',
    scale: 'Activities on a day',
    none: 'No activity in the last year.',
    total: counted('activity', 'activities'),
    days: counted('day', 'days'),
    summary: (total: string, days: string) => `${total} on ${days} in the last year.`,
    busiest: (week: string, total: string) => `The busiest week began on ${week}: ${total}.`,
    busiestOf: (weeks: number, last: string, total: string) =>
      `${weeks} weeks were equally busy, more than any other: ${total} each. The last of them began on ${last}.`,
    streak: (current: string, longest: string) =>
      `Your run of visits stands at ${current}; your longest is ${longest}.`,
    day: (day: string, total: string) => `${day}: ${total}`,
    week: (day: string, total: string) => `Week of ${day}: ${total}`,
    table: 'Show as a table',
    caption: 'Activities of the last year, a row for each week, newest first',
    weekColumn: 'Week of',
    weekdays: [
      ['Mon', 'Monday'],
      ['Tue', 'Tuesday'],
      ['Wed', 'Wednesday'],
      ['Thu', 'Thursday'],
      ['Fri', 'Friday'],
      ['Sat', 'Saturday'],
      ['Sun', 'Sunday'],
    ],
    totalColumn: 'All',
    outside: '–',
  },
} as const;

/** Words about one activity, on the profile and in the timeline. */
export const activityTexts = {
  entities: {
    poll: 'Poll',
    community_poll: 'Community poll',
    comment: 'Comment',
    badge: 'Badge',
  } satisfies Record<Activity['entityType'], string>,
  onPoll: 'On a community poll',
  options: counted('option', 'options'),
  gone: 'No longer here',
  choice: 'Voted for',
  copyId: (id: string) => `Copy ID ${id}`,
  idCopied: { title: 'ID Copied!' },
  idNotCopied: { title: 'Copy Failed', text: 'Could not copy the ID to the clipboard. Please copy it manually.' },
} as const;

/** The list of everything that a member did. */
export const activitiesTexts = {
  pageTitle: 'My Activities',
  description: 'Everything that you did here: votes, polls, comments and badges, newest first.',
  loading: 'Opening your activities',
  failedTitle: 'Failed to fetch activities',
  timeline: 'Timeline',
  search: 'Search',
  searchHint: 'Type, question, badge or id',
  type: 'Type',
  types: {
    vote: 'Votes',
    poll_created: 'Polls Created',
    comment: 'Comments',
    badge_earned: 'Badge Earned',
  } satisfies Record<ActivityType, string>,
  allTypes: 'All',
  which: 'Which activities are listed',
  showing: (shown: string, total: string) => `Showing ${shown} of ${total} activities`,
  inAll: (total: string) => `(${total} in all)`,
  searchedNewest: (count: string) => `The search looked at the newest ${count}.`,
  more: 'Show more',
  moreLoading: 'Loading…',
  searching: 'Looking for activities',
  empty: {
    title: 'Nothing has happened yet',
    text: 'Vote on a poll, ask a question or join a discussion, and it is kept here for you.',
    action: "See today's polls",
  },
  none: {
    title: 'No activity fits',
    text: 'There is nothing of this type.',
    textOfSearch: 'Nothing has these words in it.',
    textOfSearchInType: 'Nothing of this type has these words in it.',
    action: 'Show all activities',
  },
  polls: {
    heading: 'Your Polls',
    count: counted('poll', 'polls'),
    empty: 'You have not created a poll yet.',
    create: 'Create a poll',
    failedTitle: 'Failed to fetch polls',
    pagination: 'Pages of your polls',
    previous: 'Previous',
    next: 'Next',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  },
} as const;

/** One of the member's own polls in a list. */
export const ownPollTexts = {
  votes: counted('vote', 'votes'),
  phase: { active: 'Active', closed: 'Closed' },
  visibility: { public: 'Public', unlisted: 'Unlisted', private: 'Private' } satisfies Record<Visibility, string>,
} as const;

/** The badge tracker. */
export const trackerTexts = {
  pageTitle: 'Badge Tracker',
  description: 'Every badge, what it asks for, and how far you are.',
  loading: 'Opening your badges',
  failedTitle: 'Your badges cannot be shown right now',
  overall: (earned: string, total: string) => `${earned} of ${total} badges earned`,
  hidden: (count: number) =>
    count === 0
      ? 'You have found every surprise.'
      : count === 1
        ? 'One more is a surprise: it is shown once you have it.'
        : `${count} more are surprises: they are shown once you have them.`,
  categories: 'Categories',
  tally: (earned: string, total: string) => `${earned} of ${total}`,
  outside: 'Outside the categories',
  outsideText: 'For those who do a bit of everything, and for things that nobody can plan.',
  earned: 'Earned',
  progress: (current: string, target: string) => `${current}/${target}`,
  more: (count: string) => `${count} more needed`,
} as const;

/** The notification about badges that were just earned. */
export const badgeNewsTexts = {
  one: (name: string) => `Badge earned: ${name}`,
  many: (count: string) => `${count} badges earned`,
  /** Names as a sentence: A, B and C. */
  list: (names: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names),
  more: (names: string, count: number) => `${names} and ${count} more`,
} as const;

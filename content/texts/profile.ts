import type { BadgeCategory } from '#api/members/badges/badges.contract.ts';
import type { Activity } from '#api/members/profile/profile.contract.ts';
import type { ActivityType } from '#contract/vocabulary.ts';
import { badgeCategoryNames } from './badges.ts';

/** A count with its noun, singular or plural. */
const counted = (one: string, many: string) => (formatted: string, count: number) =>
  `${formatted} ${count === 1 ? one : many}`;

/** Shared by the three pages of a member. */
export const memberPageTexts = {
  profile: 'Profile',
  figures: {
    label: 'Your stats',
    votes: 'Votes Cast',
    polls: 'Polls Created',
    comments: 'Comments',
    badges: 'Badges Earned',
    badgesOf: (total: string) => `of ${total}`,
  },
  failed: {
    text: 'The profile service didn’t respond. Please try again in a moment; nothing is lost.',
    stale: 'We can’t reach the service. What you see may be slightly out of date.',
  },
} as const;

/** The profile. */
export const profileTexts = {
  pageTitle: 'Your Profile',
  description: 'Your votes, polls, comments, and badges.',
  loading: 'Loading your profile',
  failedTitle: 'We can’t show your profile right now',
  joined: 'Joined',
  settings: 'Account settings',

  achievements: {
    heading: 'Achievements',
    tally: (earned: string, total: string) => `${earned}/${total}`,
    tallyMeans: (earned: string, total: string) => `${earned} of ${total} badges earned`,
    outside: 'Outside the categories',
    tracker: 'Open the Badge Tracker',
    emptyTitle: 'No badges yet',
    emptyText: (total: number, categories: readonly (readonly [BadgeCategory, number])[]) =>
      `There are ${total} badges to earn in ${categories.length} categories: ${categories
        .map(([category, count]) => `${badgeCategoryNames[category]} ${count}`)
        .join(', ')}.`,
    emptyMore: (others: number) => `The other ${others} are outside the categories, and some of them are surprises.`,
    emptyAction: 'See today’s polls',
  },

  polls: {
    heading: 'Your Polls',
    all: 'View All Polls',
    empty: 'You haven’t asked anything yet. All a community poll needs is a question and two answers.',
    create: 'Create a poll',
  },

  recent: {
    heading: 'Recent Activity',
    all: 'View All Activities',
    empty: 'Nothing yet. Your votes, polls, and comments will show up here, and only you can see them.',
  },

  year: {
    heading: 'Your Year',
    failedTitle: 'We can’t show your year right now',
    /** A description of the picture for people who can’t see it. */
    picture: 'Calendar of the last year: one dot per day, larger on busier days, and one bar per week.',
    reading:
      'Counts votes, polls, and comments. Each column is one week, Monday to Sunday, with its total as a bar below. Days are in UTC.',
    scale: 'Activities per day',
    none: 'No activity in the last year.',
    total: counted('activity', 'activities'),
    days: counted('day', 'days'),
    summary: (total: string, days: string) => `${total} on ${days} in the last year.`,
    busiest: (week: string, total: string) => `Your busiest week started on ${week}: ${total}.`,
    busiestOf: (weeks: number, last: string, total: string) =>
      `Your busiest ${weeks} weeks were tied: ${total} each. The last of them started on ${last}.`,
    streak: (current: string, longest: string) =>
      `Your current streak of daily visits is ${current}; your longest is ${longest}.`,
    day: (day: string, total: string) => `${day}: ${total}`,
    week: (day: string, total: string) => `Week of ${day}: ${total}`,
    table: 'Show as a table',
    caption: 'Activities of the last year, one row per week, newest first',
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
    totalColumn: 'Total',
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
  gone: 'No longer available',
  choice: 'Voted for',
  copyId: (id: string) => `Copy ID ${id}`,
  idCopied: { title: 'ID Copied!' },
  idNotCopied: { title: 'Copy Failed', text: 'Could not copy the ID to the clipboard. Please copy it manually.' },
} as const;

/** The list of a member’s activities. */
export const activitiesTexts = {
  pageTitle: 'My Activities',
  description: 'Everything you did here: votes, polls, comments, and badges, newest first.',
  loading: 'Loading your activities',
  failedTitle: 'Failed to fetch activities',
  timeline: 'Timeline',
  search: 'Search',
  searchHint: 'Type, question, badge, or ID',
  type: 'Type',
  types: {
    vote: 'Votes',
    poll_created: 'Polls Created',
    comment: 'Comments',
    badge_earned: 'Badge Earned',
  } satisfies Record<ActivityType, string>,
  allTypes: 'All',
  which: 'Filter activities',
  showing: (shown: string, total: string) => `Showing ${shown} of ${total} activities`,
  inAll: (total: string) => `(${total} in all)`,
  searchedNewest: (count: string) => `Only the newest ${count} were searched.`,
  more: 'Show more',
  moreLoading: 'Loading…',
  searching: 'Searching activities',
  empty: {
    title: 'Nothing has happened yet',
    text: 'Vote on a poll, ask a question, or join a discussion, and it will show up here.',
    action: 'See today’s polls',
  },
  none: {
    title: 'No matching activities',
    text: 'You have no activities of this type.',
    textOfSearch: 'Nothing contains these words.',
    textOfSearchInType: 'Nothing of this type contains these words.',
    action: 'Show all activities',
  },
  polls: {
    heading: 'Your Polls',
    count: counted('poll', 'polls'),
    empty: 'You haven’t created a poll yet.',
    create: 'Create a poll',
    failedTitle: 'Failed to fetch polls',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  },
} as const;

/** The badge tracker. */
export const trackerTexts = {
  pageTitle: 'Badge Tracker',
  description: 'Every badge, how to earn it, and your progress.',
  loading: 'Loading your badges',
  failedTitle: 'We can’t show your badges right now',
  overall: (earned: string, total: string) => `${earned} of ${total} badges earned`,
  hidden: (count: number) =>
    count === 0
      ? 'You’ve found every surprise.'
      : count === 1
        ? 'One more is a surprise: it appears once you earn it.'
        : `${count} more are surprises: they appear once you earn them.`,
  categories: 'Categories',
  tally: (earned: string, total: string) => `${earned} of ${total}`,
  outside: 'Outside the categories',
  outsideText: 'For people who do a bit of everything, and for things nobody can plan.',
  earned: 'Earned',
  progress: (current: string, target: string) => `${current}/${target}`,
  more: (count: string) => `${count} more needed`,
} as const;

/** The notification about badges that were just earned. */
export const badgeNewsTexts = {
  one: (name: string) => `Badge earned: ${name}`,
  many: (count: string) => `${count} badges earned`,
  /** Names as a sentence: A, B, and C. */
  list: (names: readonly string[]) => new Intl.ListFormat('en-US', { type: 'conjunction' }).format(names),
  more: (names: string, count: number) => `${names}, and ${count} more`,
} as const;

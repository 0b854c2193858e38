import { limits } from '#contract/limits.ts';
import type { Visibility } from '#contract/vocabulary.ts';

/** Words of the list of community polls and of the form that makes one. */
export const communityTexts = {
  title: 'Community Polls',
  description:
    'Polls made by the people who vote here: browse them by category, vote without an account, or ask a question of your own.',
  lede: 'Questions that readers put to each other. Vote on any of them without an account; with one, ask your own.',
  create: 'Create Your Poll',
  login: 'Login to create your own community polls',
  featured: 'Featured Polls',
  heading: (page: number) => (page === 1 ? 'Newest Polls' : `Newest Polls, page ${page}`),
  mineHeading: (page: number) => (page === 1 ? 'Your Polls' : `Your Polls, page ${page}`),
  which: 'Which polls are listed',
  everybodys: 'Everybody’s polls',
  mine: 'Your polls',
  category: 'Category',
  allCategories: 'All Categories',
  apply: 'Apply',
  listed: (count: number) => (count === 1 ? '1 poll is listed' : `${count} polls are listed`),
  loading: 'Loading polls',
  pagination: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: (page: number) => `Page ${page}`,

  card: {
    visibility: { public: 'Public', unlisted: 'Unlisted', private: 'Private' } satisfies Record<Visibility, string>,
    phase: { upcoming: 'Not Started', open: 'Active', closed: 'Closed' },
    votes: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'}`,
  },

  empty: {
    title: 'No Community Polls Yet',
    text: 'Nobody has asked anything yet. The first question is the one that everybody sees.',
    inCategory: (category: string) => `No Polls in "${category}" Category`,
    inCategoryText: 'Nobody has asked anything about this yet. Other categories may have more to say.',
    mine: 'You have not made a poll yet.',
    createFirst: 'Create First Poll',
    showAll: 'Show all categories',
  },
  pastTheEnd: {
    title: (page: number) => `There is nothing on page ${page}`,
    text: 'The list ends before it.',
    action: 'Go to page 1',
  },
  failed: {
    title: 'Failed to fetch polls',
    text: 'The community polls cannot be reached right now.',
    stale: 'What you see is from the last time this page was published.',
    retry: 'Try again',
  },
  invalid: {
    title: 'This list does not exist',
    text: 'The address asks for a page or a category that there is not.',
    action: 'See all community polls',
  },
  mineSignedOut: {
    title: 'Your polls are behind your sign-in',
    text: 'Sign in to see the polls that you have made, the unlisted and private ones too.',
    action: 'Sign In',
  },
  mineNoScript: 'Your own polls are listed with JavaScript only, which is switched off in this browser.',
} as const;

/** Words of the form that makes a community poll, and of the dialog after it. */
export const createPollTexts = {
  heading: 'Create Your Poll',
  loading: 'Loading the form',
  loadFailed: 'The form could not be loaded. Please try again.',
  draftBack: 'This is what you had written.',
  discard: 'Start afresh',
  optional: 'optional',
  counter: (length: number, limit: number) => `${length}/${limit}`,
  question: 'Question',
  questionHint: 'One question that stands on its own.',
  description: 'Description',
  visibility: 'Visibility',
  visibilities: { public: 'Public', unlisted: 'Unlisted', private: 'Private' } satisfies Record<Visibility, string>,
  visibilityMeans: {
    public: 'Everybody finds it in the list, and everybody can vote.',
    unlisted: 'It is in no list. Whoever has the link can open it and vote.',
    private: 'Only you and the members whom you invite can open it.',
  } satisfies Record<Visibility, string>,
  category: 'Category',
  noCategory: 'No category',
  options: 'Options',
  optionsHint: `Two at least, ${limits.communityOptionsMax} at most. Empty ones are left out.`,
  option: (position: number) => `Option ${position}`,
  addOption: 'Add option',
  optionsFull: `A poll has at most ${limits.communityOptionsMax} options.`,
  moveUp: (position: number) => `Move option ${position} up`,
  moveDown: (position: number) => `Move option ${position} down`,
  remove: (position: number) => `Remove option ${position}`,
  moved: (from: number, to: number) => `Option ${from} is now option ${to}.`,
  removed: (position: number) => `Option ${position} is removed.`,
  added: (position: number) => `Option ${position} is added.`,
  times: 'When it is open',
  starts: 'Start',
  startsHint: 'Leave empty to start at once.',
  ends: 'End',
  endsHint: 'Leave empty to close it yourself.',
  timeZone: (zone: string) => `In your own local time (${zone}).`,
  incomplete: (label: string) => `${label} is not a complete date and time`,
  submit: 'Create Poll',
  submitting: 'Creating Poll...',
  cancel: 'Cancel',
  kept: 'What you write is kept in this tab until the poll is made.',
  problems: (count: number) => (count === 1 ? 'One field needs another look.' : `${count} fields need another look.`),
  created: 'Poll Created!',
  failedTitle: 'Error',
  failed: 'Failed to create poll. Please try again.',
  draftKept: 'What you wrote is still here.',
  signedOut: 'You are signed out. Sign in again to make this poll; what you wrote is kept.',
  signIn: 'Sign In',

  link: {
    title: { unlisted: 'Unlisted Poll Created', private: 'Private Poll Created' } satisfies Record<
      Exclude<Visibility, 'public'>,
      string
    >,
    text: {
      unlisted: 'It is in no list. Share this link with the people who should vote.',
      private: 'Only you can open it so far. Invite people on the poll’s page, then send them this link.',
    } satisfies Record<Exclude<Visibility, 'public'>, string>,
    label: 'Link to your poll',
    open: { unlisted: 'Open the poll', private: 'Invite people' } satisfies Record<
      Exclude<Visibility, 'public'>,
      string
    >,
    done: 'Done',
  },
} as const;

/** Words that the API says about community polls. */
export const communityApiTexts = {
  formerMember: 'a former member',
  guestsFull: (most: number) => `A private poll has at most ${most} guests. Remove somebody first.`,

  notPrivate: 'Everybody who has its link can open this poll. People are invited to private polls only.',

  /** Why the site is built again, as the build's log shows it. */
  buildReasons: {
    created: 'a community poll was made',
    closed: 'a community poll closed',
    deleted: 'a community poll was deleted',
    featured: 'a community poll was featured or no longer is',
    creatorLeft: 'the creator of community polls left',
  },
} as const;

/** What the command `npm run community` says. */
export const communityCommandTexts = {
  usage: `npm run community -- feature ID     show a public community poll under Featured Polls
npm run community -- unfeature ID   take it from there

ID is the last part of the poll's address; the whole address does, too. The list shows it after the next build of the
site, which begins at once.`,
  noVerb: 'What shall be done? "feature ID" or "unfeature ID" (--help shows all).',
  unknownVerb: (verb: string) => `"${verb}" is not known: it is "feature ID" or "unfeature ID".`,
  noId: (verb: string) => `Which poll? Name its id: npm run community -- ${verb} ID`,
  tooMany: 'One poll at a time, please.',
  notFound: (id: string) => `There is no community poll "${id}".`,
  notPublic: (id: string) => `The poll "${id}" is not public, and only public polls can be featured. Nothing changed.`,
  done: {
    feature: (id: string) => `${id} is featured now.`,
    unfeature: (id: string) => `${id} is no longer featured.`,
  },
} as const;

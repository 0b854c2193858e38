import * as limits from '#contract/limits.ts';
import type { CommunitySort, CommunityState, ResultVisibility, Visibility } from '#contract/vocabulary.ts';

/** The list of community polls. */
export const communityTexts = {
  title: 'Community Polls',
  description:
    'Polls created by the people who vote here. Browse by category, vote without an account, or ask your own question.',
  lede: 'Questions readers ask each other. Vote on any of them without an account, or sign in to ask your own.',
  create: 'Create Your Poll',
  login: 'Login to create your own community polls',
  featured: 'Featured Polls',
  headings: {
    newest: 'Newest Polls',
    trending: 'Trending Polls',
    'ending-soon': 'Polls Ending Soon',
    'most-voted': 'Most Voted Polls',
  } satisfies Record<CommunitySort, string>,
  ownHeadings: { mine: 'Your Polls', invited: 'Polls You’re Invited To' },
  onPage: (heading: string, page: number) => (page === 1 ? heading : `${heading}, page ${page}`),
  whose: 'Whose polls',
  scopes: { public: 'Everyone’s polls', mine: 'Your polls', invited: 'Invited' },
  sort: 'Sort by',
  sorts: {
    newest: 'Newest',
    trending: 'Trending',
    'ending-soon': 'Ending soon',
    'most-voted': 'Most voted',
  } satisfies Record<CommunitySort, string>,
  state: 'Show',
  allStates: 'All polls',
  states: {
    open: 'Open',
    closed: 'Closed',
    unvoted: 'Not voted yet',
  } satisfies Record<CommunityState, string>,
  category: 'Category',
  allCategories: 'All Categories',

  empty: {
    title: 'No Community Polls Yet',
    text: 'Nobody has asked anything yet. Be the first: everyone will see your question.',
    inCategory: (category: string) => `No Polls in "${category}" Category`,
    inCategoryText: 'Nobody has asked anything about this yet. Try another category.',
    mine: 'You haven’t created a poll yet.',
    invited: 'Nobody has invited you to a private poll yet.',
    filteredTitle: 'No Polls Match',
    filtered: 'Try another filter, or show all polls.',
    showEverything: 'Show all polls',
    createFirst: 'Create First Poll',
    showAll: 'Show all categories',
  },
  pastTheEnd: {
    title: (page: number) => `There’s nothing on page ${page}`,
    text: 'The list is shorter than that.',
    action: 'Go to page 1',
  },
  failed: {
    title: 'Failed to fetch polls',
    text: 'We can’t reach the community polls right now.',
    stale: 'What you see is from the last time this page was published.',
    retry: 'Try again',
  },
  invalid: {
    title: 'We can’t show that list',
    text: 'The address asks for a page or category that doesn’t exist.',
    action: 'See all community polls',
  },
  mineSignedOut: {
    title: 'Sign in to see your polls',
    text: 'These lists include all polls you created or are invited to, even unlisted and private ones.',
    action: 'Sign In',
  },
  personalNoScript: 'This list needs JavaScript, which is switched off in this browser.',
} as const;

/** The form that creates a community poll, and the dialog that follows. */
export const createPollTexts = {
  heading: 'Create Your Poll',
  loading: 'Loading the form',
  back: 'Back to Community Polls',
  pageDescription: 'Ask your own question, see how it will look, and get hints about its wording.',
  noScript: 'Creating a poll needs JavaScript, which is switched off in this browser.',
  signInTitle: 'Sign in to create a poll',
  signInText: 'Creating a poll needs an account. You’ll come back here.',
  copyFailed: 'We couldn’t copy that poll',
  copyFailedText: 'It may have been deleted, or you can’t open it. Here is an empty form.',
  preview: 'Preview',
  previewQuestion: 'Your question',
  previewOptions: ['First option', 'Second option'],
  draftBack: 'We restored your draft.',
  discardForCopy: 'Discard it and start from the copied poll',
  discard: 'Start over',
  optional: 'optional',
  counter: (length: number, limit: number) => `${length}/${limit}`,
  question: 'Question',
  questionHint: 'One question that stands on its own.',
  description: 'Description',
  settings: 'Settings',
  chosen: (visibility: string, results: string) => `${visibility}. Results: ${results.toLowerCase()}.`,
  visibility: 'Visibility',
  visibilities: { public: 'Public', unlisted: 'Unlisted', private: 'Private' } satisfies Record<Visibility, string>,
  visibilityMeans: {
    public: 'Listed for everyone. Anyone can open it.',
    unlisted: 'Not listed anywhere. Anyone with the link can open it.',
    private: 'Only you and the members you invite can open it.',
  } satisfies Record<Visibility, string>,
  results: 'Who sees the results',
  resultVisibilities: {
    'after-voting': 'After voting',
    always: 'Everyone, at any time',
    'after-end': 'Everyone, after the end',
    creator: 'Only you',
  } satisfies Record<ResultVisibility, string>,
  resultsMean: {
    'after-voting': 'People see the results once they have voted, and everyone sees them after the end.',
    always: 'Everyone sees the score, which may sway how they vote.',
    'after-end': 'Until the poll ends, only you see the results.',
    creator: 'Nobody else ever sees the results, and no ballots are published.',
  } satisfies Record<ResultVisibility, string>,
  /** Of a private poll, whose few votes arrive one by one. */
  watched: 'In a small group, live results show how each person voted to anyone who watches them.',
  category: 'Category',
  noCategory: 'No category',
  options: 'Options',
  optionsHint: `At least two, at most ${limits.communityOptionsMax}. Blank options are ignored.`,
  optionsFull: `A poll can have at most ${limits.communityOptionsMax} options.`,
  times: 'When it is open',
  starts: 'Start',
  startsHint: 'Leave blank to start right away.',
  ends: 'End',
  endsHint: 'Leave blank to close it yourself.',
  publishBallots: 'Let anyone recount this poll',
  publishBallotsHint:
    'We’ll publish an anonymous list of its votes when it closes. Voters get a receipt that can prove how they voted; if that could put anyone under pressure, turn this off. You can’t change it later.',
  submit: 'Create Poll',
  submitting: 'Creating Poll...',
  cancel: 'Cancel',
  kept: 'Your draft is saved in this tab until you create the poll.',
  problems: (count: number) => (count === 1 ? 'Please fix one field.' : `Please fix ${count} fields.`),
  created: 'Poll Created!',
  createdTitle: (visibility: string) => `${visibility} Poll Created`,
  done: 'Done',
  createdText: {
    public: 'Share its link with the people who should vote.',
    unlisted: 'It’s not listed anywhere. Share its link with the people who should vote.',
    private: 'Only you can open it for now. Invite people on this page, then send them the link.',
  } satisfies Record<Visibility, string>,
  failedTitle: 'Error',
  failed: 'Failed to create poll. Please try again.',
  draftStays: 'Your draft is still here.',
  signedOut: 'You’re signed out. Sign in again to create this poll; your draft is saved.',
  signIn: 'Sign In',
} as const;

/** API messages about community polls. */
export const communityApiTexts = {
  formerMember: 'a former member',
  guestsFull: (most: number) => `A private poll can have at most ${most} guests. Remove someone first.`,

  pollFull: 'This poll is full. Ask its creator to make room.',
  textsLocked: 'People have voted on this poll, so its question, options, and result visibility can’t change anymore.',
  editedTooOften: (most: number) => `A poll can be edited at most ${most} times after the first vote.`,
  blockSelf: 'You can’t block yourself.',
  blocksFull: (most: number) => `You can block at most ${most} members.`,
  editedTooLate: 'A comment can only be edited for ten minutes after it was posted.',
  commentsOff: 'The creator of this poll has turned comments off.',
  blocked: 'The creator of this poll doesn’t accept comments from you.',
  notPrivate: 'Anyone with the link can open this poll. You can only invite people to private polls.',

  /** Reasons for a build, as its log shows them. */
} as const;

/** Output of `npm run operate -- community`. */
export const communityCommandTexts = {
  usage: `npm run operate -- community feature ID     show a public community poll under Featured Polls
npm run operate -- community unfeature ID   remove it from there

ID is the last part of the poll’s address, or the whole address. The list changes after the next build of the site, which
starts immediately.`,
  noVerb: 'Missing command: use feature ID or unfeature ID (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb}. Use feature ID or unfeature ID (see --help).`,
  noId: (verb: string) => `Missing poll id: npm run operate -- community ${verb} ID`,
  tooMany: 'One poll at a time, please.',
  notFound: (id: string) => `There is no community poll “${id}”.`,
  notPublic: (id: string) =>
    `The poll “${id}” is not public, and only public polls can be featured. Nothing was changed.`,
  done: {
    feature: (id: string) => `${id} is now featured.`,
    unfeature: (id: string) => `${id} is no longer featured.`,
  },
} as const;

/** Words that the API says about community polls. */
export const communityApiTexts = {
  formerMember: 'a former member',
  guestsFull: (most: number) => `A private poll can have at most ${most} guests. Remove someone first.`,

  notPrivate: 'Anyone with the link can open this poll. You can only invite people to private polls.',

  /** Reasons for a build, as its log shows them. */
  buildReasons: {
    created: 'a community poll was created',
    closed: 'a community poll closed',
    deleted: 'a community poll was deleted',
    featured: 'a community poll was featured or unfeatured',
    creatorLeft: 'a creator of community polls deleted their account',
  },
} as const;

/** What the command `npm run community` says. */
export const communityCommandTexts = {
  usage: `npm run community -- feature ID     show a public community poll under Featured Polls
npm run community -- unfeature ID   remove it from there

ID is the last part of the poll’s address, or the whole address. The list changes after the next build of the site, which
starts immediately.`,
  noVerb: 'Missing command: use feature ID or unfeature ID (see --help).',
  unknownVerb: (verb: string) => `Unknown command: ${verb}. Use feature ID or unfeature ID (see --help).`,
  noId: (verb: string) => `Missing poll id: npm run community -- ${verb} ID`,
  tooMany: 'One poll at a time, please.',
  notFound: (id: string) => `There is no community poll “${id}”.`,
  notPublic: (id: string) =>
    `The poll “${id}” is not public, and only public polls can be featured. Nothing was changed.`,
  done: {
    feature: (id: string) => `${id} is now featured.`,
    unfeature: (id: string) => `${id} is no longer featured.`,
  },
} as const;

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

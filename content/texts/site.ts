/** Responses of the site service when there is no page to serve. */
export const siteTexts = {
  building: {
    title: 'The site is being built',
    text: 'It will be ready in a moment. This page will refresh itself.',
  },
  notFound: 'There is no page at this address.',
  methodNotAllowed: 'This page only accepts GET requests.',
  formTooLarge: 'This form is too large for a vote.',
  badRequest: 'We couldn’t understand this request.',
  unreadable: {
    title: 'We can’t read this page right now',
    text: 'Other pages may still work. Please try again later.',
  },
  renderFailed: {
    title: 'Something went wrong on our side',
    text: 'We couldn’t create this page. Please try again in a moment.',
  },
} as const;

/** Feeds, web app manifest, and humans.txt. */
export const feedTexts = {
  reports: {
    path: '/historical',
    title: (siteName: string) => `${siteName}: poll results`,
    description: 'Every closed poll, with its result.',
  },
  blog: {
    path: '/blog',
    title: (siteName: string) => `${siteName}: articles`,
    description: 'Articles on reading and making polls.',
  },
  manifest: {
    description: 'A few questions at a time, one vote per browser. See what everyone else thinks.',
    polls: 'Current Polls',
    archive: 'Historical Polls',
  },
  humans: (siteName: string, supportEmail: string) => `/* TEAM */
Made by: the Weathervane authors
Run by: the operator of ${siteName}
Contact: ${supportEmail}

/* THANKS */
Typeface: Newsreader by Production Type (SIL Open Font License)

/* SITE */
Language: English
Standards: HTML, CSS, JSON-LD, Atom, RSS
Components: Astro, React, Koa, Objection, SQLite or PostgreSQL
Made for: anyone who wonders what other people think
`,
} as const;

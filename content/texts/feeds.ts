/** Words of the feeds, the web app manifest and the files for machines. */
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
    description: 'A few questions at a time, one vote each. See what everyone else thinks.',
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

/** About, the legal pages, and tables of contents. */
export const contentsTexts = {
  title: 'Contents',
} as const;

export const staticPageTexts = {
  lastUpdated: 'Last updated',
  kicker: { about: 'About', legal: 'Legal' },
  /** The heading of content/pages/about.md before which the three cards are placed. */
  cardsBefore: 'data-transparency',
  cardsMissing: (id: string) =>
    `content/pages/about.md is missing the heading #${id}, which the three cards are placed before. Add it back.`,
  seeAlso: 'See also',
  links: [
    { path: '/terms', text: 'Terms of Use' },
    { path: '/privacy', text: 'Privacy Policy' },
    { path: '/disclaimer', text: 'Disclaimer' },
    { path: '/about', text: 'About' },
  ],
  home: 'Back to Home',
} as const;

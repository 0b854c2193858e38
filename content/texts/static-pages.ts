/** Words around the texts of About and the legal pages, and of every text with a table of contents. */
export const contentsTexts = {
  title: 'Contents',
} as const;

export const staticPageTexts = {
  lastUpdated: 'Last updated',
  kicker: { about: 'About', legal: 'Legal' },
  /** Where the three cards of About stand; a heading of content/pages/about.md. */
  cardsBefore: 'data-transparency',
  cardsMissing: (id: string) =>
    `content/pages/about.md has no heading with the address "#${id}", before which the three cards stand. Put it back.`,
  seeAlso: 'See also',
  links: [
    { path: '/terms', text: 'Terms of Use' },
    { path: '/privacy', text: 'Privacy Policy' },
    { path: '/disclaimer', text: 'Disclaimer' },
    { path: '/about', text: 'About' },
  ],
  home: 'Back to Home',
} as const;

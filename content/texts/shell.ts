/** The frame of every page: navigation, footer, theme switch, notifications, and the 404 page. */
export const shellTexts = {
  skipLink: 'Skip to content',
  mainNavigation: 'Main',
  openMenu: 'Menu',
  closeMenu: 'Close menu',
  homeLink: (siteName: string) => `${siteName}, home`,
  titleOf: (page: string, siteName: string) => (page === siteName ? siteName : `${page} · ${siteName}`),
  theme: 'Theme',
  themes: { system: 'Match system', light: 'Light', dark: 'Dark' },
  footerNavigation: 'About this site',
  statement: 'All polls are for entertainment and opinion gathering only.',
  statementMore: 'Anyone passing by can answer, so nothing here measures what a country thinks.',
  support: 'Support',
} as const;

/** The five main links, in order. */
export const mainLinks = [
  { key: 'home', path: '/', text: 'Current Polls' },
  { key: 'historical', path: '/historical', text: 'Historical Polls' },
  { key: 'community', path: '/community-polls', text: 'Community Polls' },
  { key: 'blog', path: '/blog', text: 'Blog' },
  { key: 'about', path: '/about', text: 'About' },
] as const;
export type MainLink = (typeof mainLinks)[number]['key'];

export const footerLinks = [
  { path: '/terms', text: 'Terms of Use' },
  { path: '/privacy', text: 'Privacy Policy' },
  { path: '/disclaimer', text: 'Disclaimer' },
  { path: '/about', text: 'About' },
  { path: '/integrity', text: 'What We Count' },
  { path: '/my-votes', text: 'My Votes' },
] as const;

/** Result bars, on every page. */
export const resultTexts = {
  yourVote: 'Your vote',
  others: 'Other answers',
  votes: (count: string, votes: number) => `${count} ${votes === 1 ? 'vote' : 'votes'}`,
} as const;

export const toastTexts = {
  region: 'Notifications',
  close: 'Close',
} as const;

export const notFoundTexts = {
  title: 'Page Not Found',
  kicker: 'Error 404',
  text: 'The wind has changed: there’s nothing at this address. Perhaps there never was.',
  home: 'See today’s polls',
  archive: 'Browse the poll archive',
} as const;

/** About and the legal pages. */
export const staticPageTexts = {
  contents: 'Contents',
  lastUpdated: 'Last updated',
  kicker: { legal: 'Legal' },
  /** The heading of content/pages/about.md before which the three cards are placed. */
  cardsBefore: 'data-transparency',
  seeAlso: 'See also',
  home: 'Back to Home',
} as const;

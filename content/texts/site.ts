/** What the site service answers when there is no page to serve. */
export const siteTexts = {
  building: {
    title: 'The site is being built',
    text: 'It will be ready in a moment. This page will refresh itself.',
  },
  notFound: 'There is no page at this address.',
  methodNotAllowed: 'This page only accepts GET requests.',
  badRequest: 'We couldn’t understand this request.',
  damaged: {
    title: 'This page is damaged',
    text: 'It will be back once the site has been rebuilt. Other pages are not affected. Please try again later.',
  },
  renderFailed: {
    title: 'Something went wrong on our side',
    text: 'We couldn’t create this page. Please try again in a moment.',
  },
} as const;

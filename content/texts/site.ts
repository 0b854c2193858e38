/** What the site service says by itself, when there is no page for it. */
export const siteTexts = {
  building: {
    title: 'The site is being built',
    text: 'It is published in a moment. This page looks again by itself.',
  },
  notFound: 'There is no page at this address.',
  methodNotAllowed: 'Pages can only be read.',
  badRequest: 'This request could not be understood.',
  damaged: {
    title: 'This page is damaged',
    text: 'It will be there again when the site has been built anew. Other pages are not affected. Please try again later.',
  },
  renderFailed: {
    title: 'Something went wrong on our side',
    text: 'This page could not be made. Please try again in a moment.',
  },
} as const;

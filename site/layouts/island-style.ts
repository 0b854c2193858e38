/** The style that Astro inserts before a page’s first island. */
const islandStyle = /<style>astro-island[^<]*<\/style>/;

/** Moves the islands’ style into the head, because HTML allows none in the body. */
export function withStyleInHead(html: string): string {
  const [style] = islandStyle.exec(html) ?? [];
  return style === undefined ? html : html.replace(style, '').replace('</head>', () => `${style}</head>`);
}

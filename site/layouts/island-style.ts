/**
 * Moves the style that Astro inserts before a page’s first island into the head, because HTML allows none in the body.
 * Takes and returns a page as UTF-8: as text it would be decoded and encoded again.
 */
export function withStyleInHead(page: Buffer): Buffer {
  const start = page.indexOf('<style>astro-island');
  const headEnd = page.indexOf('</head>');
  if (start < headEnd || headEnd < 0) return page;
  const end = page.indexOf('</style>', start) + '</style>'.length;
  return Buffer.concat([
    page.subarray(0, headEnd),
    page.subarray(start, end),
    page.subarray(headEnd, start),
    page.subarray(end),
  ]);
}

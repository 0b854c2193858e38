import { hash } from 'node:crypto';

type Bytes = Buffer<ArrayBuffer>;

/** What Astro’s pages still need, prerendered or not. Takes and returns a page as UTF-8: as text it would be decoded and encoded again. */
export const finishPage = (page: Bytes): Bytes => withOwnHashes(withStyleInHead(page));

/** Moves the style that Astro inserts before a page’s first island into the head, because HTML allows none in the body. */
function withStyleInHead(page: Bytes): Bytes {
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

const policyStart = '<meta http-equiv="content-security-policy" content="';

/**
 * Removes the hashes of other pages’ inline scripts and styles from a page’s policy: Astro lists those of the whole site,
 * which don’t compress and are a fifth of what a page transfers.
 */
function withOwnHashes(page: Bytes): Bytes {
  const start = page.indexOf(policyStart) + policyStart.length;
  if (start < policyStart.length) return page;
  const end = page.indexOf('">', start);
  const own = inlineHashes(page);
  const policy = page
    .toString('utf8', start, end)
    .replace(/ 'sha256-[^']+'/g, (one) => (own.has(one.slice(1)) ? one : ''));
  return Buffer.concat([page.subarray(0, start), Buffer.from(policy), page.subarray(end)]);
}

/** The hashes of a page’s inline scripts and styles as its policy has them. */
function inlineHashes(page: Bytes): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const name of ['script', 'style']) {
    const close = `</${name}>`;
    // An attribute may contain the beginning of an element, which must not hide the next one; its hash is in no policy.
    for (let at = page.indexOf(`<${name}`); at >= 0; at = page.indexOf(`<${name}`, at + 1)) {
      const end = page.indexOf(close, at);
      if (end < 0) break;
      const content = page.subarray(page.indexOf('>', at) + 1, end);
      if (content.length > 0) hashes.add(`'sha256-${hash('sha256', content, 'base64')}'`);
    }
  }
  return hashes;
}

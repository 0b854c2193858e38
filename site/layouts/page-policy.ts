import { hash } from 'node:crypto';

const metaStart = '<meta http-equiv="content-security-policy" content="';

/** The hashes of a page’s inline scripts and styles as its policy has them. */
function inlineHashes(page: Buffer): ReadonlySet<string> {
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

/**
 * Removes the hashes of other pages’ inline scripts and styles from a page’s policy, in its HTML and in the header’s value:
 * Astro lists those of the whole site, which don’t compress and are a fifth of what a page transfers. Takes and returns the
 * page as UTF-8.
 */
export function withOwnHashes(page: Buffer, header: string | null): { page: Buffer; header: string | null } {
  const own = inlineHashes(page);
  const reduced = (policy: string) => policy.replace(/ 'sha256-[^']+'/g, (one) => (own.has(one.slice(1)) ? one : ''));
  const start = page.indexOf(metaStart) + metaStart.length;
  const end = page.indexOf('">', start);
  return {
    header: header && reduced(header),
    page:
      start < metaStart.length
        ? page
        : Buffer.concat([
            page.subarray(0, start),
            Buffer.from(reduced(page.toString('utf8', start, end))),
            page.subarray(end),
          ]),
  };
}

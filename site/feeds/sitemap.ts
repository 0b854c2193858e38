/** A page in the sitemap. */
export interface SitemapEntry {
  /** Full address. */
  readonly address: string;
  /** When what it shows last changed (ISO 8601); left out where nobody can tell. */
  readonly changedAt?: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => escapes[one] ?? one);

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function list(root: string, item: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ address, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    return `<${item}><loc>${escaped(address)}</loc>${changed}</${item}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${lines.join('')}</${root}>\n`;
}

/** One file of the sitemap. */
export const sitemapXml = (entries: readonly SitemapEntry[]) => list('urlset', 'url', entries);

/** The list of the sitemap's files; each is as new as the newest page in it. */
export const sitemapIndexXml = (entries: readonly SitemapEntry[]) => list('sitemapindex', 'sitemap', entries);

/** The newest moment of some pages; undefined where none is known. */
export function newest(entries: readonly { readonly changedAt?: string }[]): string | undefined {
  return entries.reduce<string | undefined>(
    (last, { changedAt }) => (changedAt !== undefined && (last === undefined || changedAt > last) ? changedAt : last),
    undefined,
  );
}

/** Characters of an article’s slug that is made from its title. */
const madeSlugLength = 70;

/** A slug for URLs: "Data & Transparency" becomes data-transparency. */
export function slugOf(words: string): string {
  return words
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The slug of an article from its title: of ASCII letters and digits; empty if the title has none. */
export function articleSlug(title: string): string {
  return slugOf(title)
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-+/g, '-')
    .slice(0, madeSlugLength)
    .replace(/^-|-$/g, '');
}

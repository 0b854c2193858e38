import { topicKinds } from '#contract/vocabulary.ts';
import type { TopicKind } from '#contract/vocabulary.ts';
import { slugOf } from './slug.ts';

/** Letters of a slug: file names may have 255 bytes. */
const slugLetters = 40;
/** Names of letters, digits, spaces, and punctuation that doesn’t change their meaning. */
const isPlain = /^[\p{L}\p{M}\p{N}\s&,.…/:;()!?'’“”"–—-]*$/u;

/**
 * The slug of a tag, category, or series. Names that differ only in case, accents, spaces, or punctuation share one; for
 * names that a slug would make ambiguous, such as “C++”, it ends with a digest.
 */
export function topicSlug(name: string): string {
  const words = slugOf(name);
  const letters = Array.from(words);
  if (words !== '' && letters.length <= slugLetters && isPlain.test(name)) return words;
  return [letters.slice(0, slugLetters).join('').replace(/-$/, ''), digest(name.normalize('NFC').trim().toLowerCase())]
    .filter((part) => part !== '')
    .join('-');
}

function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193) >>> 0;
  return hash.toString(36);
}

/** The address of the list of closed polls with a slug, from its first page. */
export function topicAddress(kind: TopicKind, slug: string, page = 1): string {
  return `/historical/${kind}/${slug}${page === 1 ? '' : `/${page}`}`;
}

/** The address of the list of all series. */
export const seriesListAddress = '/historical/series';

const firstPage = new RegExp(`^/historical/(${topicKinds.join('|')})/([^/]+)$`);

/** The kind and slug of such a list’s first page; null for any other address. */
export function topicOf(address: string): { kind: TopicKind; slug: string } | null {
  const [, kind, slug] = firstPage.exec(address) ?? [];
  return kind === undefined || slug === undefined ? null : { kind: kind as TopicKind, slug };
}

/** The first and the last moment of a year such as “2026”, in milliseconds, the last exclusive; null for other texts. */
export function yearSpan(year: string): { from: number; to: number } | null {
  if (!/^[1-9]\d{3}$/.test(year)) return null;
  return { from: Date.UTC(Number(year), 0), to: Date.UTC(Number(year) + 1, 0) };
}

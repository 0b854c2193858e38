import { Type } from 'typebox';
import { closed, day, named } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** Legal pages, each with its own text file. */
export const legalPages = ['terms', 'privacy', 'disclaimer'] as const;
export type LegalPageName = (typeof legalPages)[number];

const words = Type.String({ minLength: 1 });
const head = { title: words, description: words };

const legalHead = { ...head, lastUpdated: day };
const aboutHead = {
  ...head,
  lede: words,
  cards: Type.Array(closed({ title: words, text: words }), { minItems: 3, maxItems: 3 }),
};

/** Front matter of the files in content/legal. */
export const legalHeadSchema = closed(legalHead);

/** Front matter of content/pages/integrity.md. */
export const ledeHeadSchema = closed({ ...head, lede: words });

/** Front matter of content/pages/about.md. */
export const aboutHeadSchema = closed(aboutHead);

const legalPageSchema = closed({ ...legalHead, content: words });

/** The static pages with their texts as HTML. */
export const staticPagesSchema = named('StaticPages', {
  about: closed({ ...aboutHead, content: words }),
  integrity: closed({ ...ledeHeadSchema.properties, content: words }),
  terms: legalPageSchema,
  privacy: legalPageSchema,
  disclaimer: legalPageSchema,
});
export type StaticPages = Static<typeof staticPagesSchema>;
export type LegalPage = StaticPages[LegalPageName];
export type AboutPage = StaticPages['about'];
export type IntegrityPage = StaticPages['integrity'];

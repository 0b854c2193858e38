import type { FromSchema } from 'json-schema-to-ts';
import { day } from './scalars.ts';

/** Legal pages, each with its own text file. */
export const legalPages = ['terms', 'privacy', 'disclaimer'] as const;
export type LegalPageName = (typeof legalPages)[number];

const words = { type: 'string', minLength: 1 } as const;
const head = { title: words, description: words } as const;

const legalHead = { ...head, lastUpdated: day } as const;
const aboutHead = {
  ...head,
  lede: words,
  cards: {
    type: 'array',
    minItems: 3,
    maxItems: 3,
    items: {
      type: 'object',
      required: ['title', 'text'],
      additionalProperties: false,
      properties: { title: words, text: words },
    },
  },
} as const;

/** Front matter of the files in content/legal. */
export const legalHeadSchema = {
  type: 'object',
  required: ['title', 'description', 'lastUpdated'],
  additionalProperties: false,
  properties: legalHead,
} as const;

/** Front matter of content/pages/integrity.md. */
export const ledeHeadSchema = {
  type: 'object',
  required: ['title', 'description', 'lede'],
  additionalProperties: false,
  properties: { ...head, lede: words },
} as const;

/** Front matter of content/pages/about.md. */
export const aboutHeadSchema = {
  type: 'object',
  required: ['title', 'description', 'lede', 'cards'],
  additionalProperties: false,
  properties: aboutHead,
} as const;

const legalPageSchema = {
  type: 'object',
  required: [...legalHeadSchema.required, 'content'],
  additionalProperties: false,
  properties: { ...legalHead, content: words },
} as const;

/** The static pages with their texts as HTML. */
export const staticPagesSchema = {
  $id: 'StaticPages',
  type: 'object',
  required: ['about', 'integrity', ...legalPages],
  additionalProperties: false,
  properties: {
    about: {
      type: 'object',
      required: [...aboutHeadSchema.required, 'content'],
      additionalProperties: false,
      properties: { ...aboutHead, content: words },
    },
    integrity: {
      type: 'object',
      required: [...ledeHeadSchema.required, 'content'],
      additionalProperties: false,
      properties: { ...ledeHeadSchema.properties, content: words },
    },
    terms: legalPageSchema,
    privacy: legalPageSchema,
    disclaimer: legalPageSchema,
  },
} as const;
export type StaticPages = FromSchema<typeof staticPagesSchema>;
export type LegalPage = StaticPages[LegalPageName];
export type AboutPage = StaticPages['about'];
export type IntegrityPage = StaticPages['integrity'];

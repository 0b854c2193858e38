import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { aboutHeadSchema, ledeHeadSchema, legalHeadSchema } from '#contract/static-page.ts';
import type { AboutPage, IntegrityPage, LegalPage, StaticPages } from '#contract/static-page.ts';
import type { Config } from '#platform/config.ts';
import { compileSchema } from '#platform/validation.ts';
import { contentFolder, readContentFile } from './content-file.ts';
import { renderMarkdown } from './markdown.ts';

/** The settings that the texts can name. */
export type PageSettings = Pick<Config, 'siteName' | 'supportEmail' | 'publicUrl'>;

const isLegalHead = compileSchema<Omit<LegalPage, 'content'>>(legalHeadSchema, 'json');
/** The content file of each page, and the contract of its head. */
const files = {
  about: ['pages/about.md', compileSchema<Omit<AboutPage, 'content'>>(aboutHeadSchema, 'json')],
  integrity: ['pages/integrity.md', compileSchema<Omit<IntegrityPage, 'content'>>(ledeHeadSchema, 'json')],
  terms: ['legal/terms.md', isLegalHead],
  privacy: ['legal/privacy.md', isLegalHead],
  disclaimer: ['legal/disclaimer.md', isLegalHead],
} as const;

/** A static page as HTML, with the settings in place of `{siteName}` and the other placeholders. */
export async function staticPage<Name extends keyof StaticPages>(
  name: Name,
  settings: PageSettings,
  folder = contentFolder,
): Promise<StaticPages[Name]> {
  const articles = await readdir(join(folder, 'blog'));
  const slugs = new Set(articles.map((article) => article.replace(/\.md$/, '')));
  const [path, isHead]: readonly [string, ValidateFunction<object>] = files[name];
  const file = `content/${path}`;
  const { head, text, firstLine } = readContentFile(file, await readFile(join(folder, path), 'utf8'), isHead);
  const content = renderMarkdown({ text: fillIn(text, settings, asMarkdown), firstLine }, { file, slugs });
  const page: unknown = { ...(fillInDeep(head, settings) as object), content };
  return page as StaticPages[Name];
}

/** Escapes Markdown, so that a setting can't become markup, in links either. */
const asMarkdown = (value: string) => value.replace(/[!-/:-@[-`{-~]/g, '\\$&');

function fillIn(text: string, settings: PageSettings, write = (value: string) => value): string {
  return text.replace(/\{(siteName|supportEmail|publicUrl)\}/g, (_, name: keyof PageSettings) => write(settings[name]));
}

function fillInDeep(value: unknown, settings: PageSettings): unknown {
  if (typeof value === 'string') return fillIn(value, settings);
  if (Array.isArray(value)) return value.map((member) => fillInDeep(member, settings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillInDeep(member, settings)]));
}

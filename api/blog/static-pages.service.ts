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

const isAboutHead = compileSchema<Omit<AboutPage, 'content'>>(aboutHeadSchema, 'json');
const isLedeHead = compileSchema<Omit<IntegrityPage, 'content'>>(ledeHeadSchema, 'json');
const isLegalHead = compileSchema<Omit<LegalPage, 'content'>>(legalHeadSchema, 'json');

/** The About page, the page about what is counted, and the legal pages as HTML, with the settings in place of `{siteName}` and the other placeholders. */
export async function staticPages(settings: PageSettings, folder = contentFolder): Promise<StaticPages> {
  const articles = await readdir(join(folder, 'blog'));
  const slugs = new Set(articles.map((name) => name.replace(/\.md$/, '')));
  const [about, integrity, terms, privacy, disclaimer] = await Promise.all([
    read('pages/about.md', isAboutHead),
    read('pages/integrity.md', isLedeHead),
    read('legal/terms.md', isLegalHead),
    read('legal/privacy.md', isLegalHead),
    read('legal/disclaimer.md', isLegalHead),
  ]);
  return { about, integrity, terms, privacy, disclaimer };

  async function read<T extends object>(path: string, isHead: ValidateFunction<T>): Promise<T & { content: string }> {
    const file = `content/${path}`;
    const { head, text, firstLine } = readContentFile(file, await readFile(join(folder, path), 'utf8'), isHead);
    const content = renderMarkdown({ text: fillIn(text, settings, asMarkdown), firstLine }, { file, slugs });
    return { ...(fillInDeep(head, settings) as T), content };
  }
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

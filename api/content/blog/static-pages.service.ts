import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import type { ContentFolder } from '#api/content/content.contract.ts';
import { aboutHeadSchema, ledeHeadSchema, legalHeadSchema } from './static-pages.contract.ts';
import type { AboutPage, IntegrityPage, LegalPage, StaticPages } from './static-pages.contract.ts';
import { outlineOf } from '#domain/article.ts';
import type { Config } from '#platform/config.ts';
import { compileSchema } from '#platform/validation.ts';
import { contentFileTexts } from '#texts/content-files.ts';
import { integrityTexts } from '#texts/integrity.ts';
import { staticPageTexts } from '#texts/shell.ts';
import { contentFolder, ContentProblem, readContentFile } from './content-file.ts';
import { fillFacts } from './facts.service.ts';
import { renderMarkdown } from './markdown.ts';

/** The settings that the texts can name. */
export const settingNames = ['siteName', 'supportEmail', 'publicUrl'] as const;
export type PageSettings = Pick<Config, (typeof settingNames)[number]>;

interface PageRules {
  readonly folder: ContentFolder;
  readonly isHead: ValidateFunction<object>;
  /** The id of the heading before which the page shows something else. */
  readonly heading?: string;
}

const legal: PageRules = {
  folder: 'legal',
  isHead: compileSchema<Omit<LegalPage, 'content'>>(legalHeadSchema, 'json'),
};
/** The folder of each page in content/, and what its text must have. */
export const staticPageRules: Readonly<Record<keyof StaticPages, PageRules>> = {
  about: {
    folder: 'pages',
    isHead: compileSchema<Omit<AboutPage, 'content'>>(aboutHeadSchema, 'json'),
    heading: staticPageTexts.cardsBefore,
  },
  integrity: {
    folder: 'pages',
    isHead: compileSchema<Omit<IntegrityPage, 'content'>>(ledeHeadSchema, 'json'),
    heading: integrityTexts.decisionsBefore,
  },
  terms: legal,
  privacy: legal,
  disclaimer: legal,
};

/**
 * A static page as HTML, with the settings in place of `{siteName}` and the other placeholders. `slugs` are those of
 * articles it may link to. Throws a {@link ContentProblem}.
 */
export function renderPage<Name extends keyof StaticPages>(
  name: Name,
  source: string,
  { settings, slugs }: { readonly settings: PageSettings; readonly slugs: ReadonlySet<string> },
): StaticPages[Name] {
  const { folder, isHead, heading } = staticPageRules[name];
  const file = `content/${folder}/${name}.md`;
  const { head, text, firstLine } = readContentFile(file, source, isHead);
  const content = renderMarkdown({ text: fillIn(text, settings, asMarkdown), firstLine }, { file, slugs });
  if (heading !== undefined && !outlineOf(content).some(({ id, level }) => id === heading && level === 2))
    throw ContentProblem.at(file, null, contentFileTexts.headingNeeded(heading));
  const page: unknown = { ...(fillInDeep(head, settings) as object), content };
  return page as StaticPages[Name];
}

/** A static page as its file has it. */
export async function pageFromFile<Name extends keyof StaticPages>(
  name: Name,
  settings: PageSettings,
  folder = contentFolder,
): Promise<StaticPages[Name]> {
  const articles = await readdir(join(folder, 'blog'));
  const slugs = new Set(articles.map((article) => article.replace(/\.md$/, '')));
  const source = await readFile(join(folder, staticPageRules[name].folder, `${name}.md`), 'utf8');
  return renderPage(name, source, { settings, slugs });
}

/** Escapes Markdown, so that a setting can't become markup, in links either. */
const asMarkdown = (value: string) => value.replace(/[!-/:-@[-`{-~]/g, '\\$&');

function fillIn(text: string, settings: PageSettings, write = (value: string) => value): string {
  return fillFacts(text).replace(/\{(siteName|supportEmail|publicUrl)\}/g, (_, name: keyof PageSettings) =>
    write(settings[name]),
  );
}

function fillInDeep(value: unknown, settings: PageSettings): unknown {
  if (typeof value === 'string') return fillIn(value, settings);
  if (Array.isArray(value)) return value.map((member) => fillInDeep(member, settings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillInDeep(member, settings)]));
}

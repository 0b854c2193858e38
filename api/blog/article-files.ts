import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { articleHeadSchema, reservedSlugs, slugPattern } from '#contract/blog.ts';
import type { ArticleHead } from '#contract/blog.ts';
import { compileSchema } from '#platform/validation.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { ContentProblem } from './content-problem.ts';
import { readContentFile } from './front-matter.ts';
import { renderMarkdown } from './markdown.ts';

/** Where everything that is written for reading is kept. */
export const contentFolder = fileURLToPath(new URL('../../content/', import.meta.url));

/** An article as its file has it, its text as HTML. */
export interface Article extends ArticleHead {
  readonly slug: string;
  readonly content: string;
}

const isHead = compileSchema<ArticleHead>(articleHeadSchema, 'json');
const slugShape = new RegExp(slugPattern);

/** Reads and renders every article below `folder`; throws a {@link ContentProblem} for the first that is wrong. */
export async function readArticles(folder = join(contentFolder, 'blog')): Promise<Article[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const slugs = new Set(files.map((name) => name.slice(0, -'.md'.length)));
  return await Promise.all(
    files.map(async (name) => {
      const file = `content/blog/${name}`;
      const slug = name.slice(0, -'.md'.length);
      if (!slugShape.test(slug)) throw new ContentProblem(file, null, texts.fileName);
      if (reservedSlugs.some((reserved) => reserved === slug))
        throw new ContentProblem(file, null, texts.reservedName(slug));
      const article = readContentFile(file, await readFile(join(folder, name), 'utf8'), isHead);
      const { head } = article;
      if (head.updatedAt !== undefined && head.updatedAt < head.publishedAt)
        throw new ContentProblem(file, null, texts.updatedBeforePublished);
      return { ...head, slug, content: renderMarkdown(article, { file, slugs }) };
    }),
  );
}

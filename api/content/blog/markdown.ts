import { defineHastPlugin, defineMdastPlugin, markdownToHtml } from 'satteri';
import { imageAddress } from '#domain/image-address.ts';
import { imageNamePattern } from '#api/content/content.contract.ts';
import { outlineOf } from '#domain/article.ts';
import { slugOf } from '#domain/slug.ts';
import { isBlank } from '#domain/visible-text.ts';
import { contentFileTexts as texts, renderedTexts } from '#texts/content-files.ts';
import { ChartProblem, readChart } from './chart-block.ts';
import { chartFigure } from './chart-figure.ts';
import { ContentProblem } from './content-file.ts';
import type { ContentFile } from './content-file.ts';
import { fillFacts } from './facts.service.ts';

const imagePath = new RegExp(
  `^${imageAddress(`(${imageNamePattern.replaceAll('[1-9][0-9]{0,3}', '($&)')})`).replace('.', '\\.')}$`,
);

const imagePaths = new RegExp(imageAddress(`(${imageNamePattern})`).replace('.', '\\.'), 'g');

/** The names of the pictures in a text, Markdown or HTML. */
export const imagesIn = (text: string): string[] => [...text.matchAll(imagePaths)].map(([, name]) => name!);

interface Options {
  /** Names the file in problems. */
  readonly file: string;
  /** Slugs of all articles, to find dead links. */
  readonly slugs: ReadonlySet<string>;
}

/**
 * Renders the text of an article or a page as HTML: GitHub Flavored Markdown without raw HTML, with the facts it names, with ids on headings,
 * footnotes that are also tooltips, and charts as figures. API, pages, and feeds share this rendering. Throws a
 * {@link ContentProblem} that names file and line.
 */
export function renderMarkdown(
  { text: written, firstLine }: Pick<ContentFile<unknown>, 'text' | 'firstLine'>,
  options: Options,
) {
  const text = fillFacts(written);
  const { file, slugs } = options;
  const figures: string[] = [];
  const notes = new Map<string, string>();
  const referenced = new Set<string>();
  const anchors: { readonly url: string; readonly line: number | null }[] = [];

  const lineOf = (node: { readonly position?: { readonly start: { readonly line: number } } | undefined }) =>
    node.position === undefined ? null : firstLine + node.position.start.line - 1;
  const problem = (node: Parameters<typeof lineOf>[0], what: string) => ContentProblem.at(file, lineOf(node), what);

  const rules = defineMdastPlugin({
    name: 'content-rules',
    options: { position: true },
    html(node) {
      throw problem(node, texts.html);
    },
    image(node) {
      if (!imagePath.test(node.url)) throw problem(node, texts.image);
      if (isBlank(node.alt ?? '')) throw problem(node, texts.imageWithoutText);
    },
    imageReference(node) {
      throw problem(node, texts.image);
    },
    heading(node, context) {
      if (node.depth < 2 || node.depth > 3) throw problem(node, texts.heading);
      if (slugOf(context.textContent(node)) === '') throw problem(node, texts.headingWithoutText);
    },
    link(node) {
      const { url } = node;
      if (url.startsWith('#')) anchors.push({ url, line: lineOf(node) });
      else if (!/^(\/(?!\/)|https?:\/\/|mailto:)/.test(url)) throw problem(node, texts.linkTarget(url));
      const [, slug] = /^\/blog\/([^/?#]+)/.exec(url) ?? [];
      if (slug !== undefined && slug !== 'category' && !slugs.has(slug))
        throw problem(node, texts.deadArticleLink(url));
    },
    text(node) {
      const [, name] = /\[\^([^\]]+)\]/.exec(node.value) ?? [];
      if (name !== undefined) throw problem(node, texts.noteWithoutText(name));
    },
    footnoteReference(node) {
      referenced.add(node.identifier.toLowerCase());
    },
    footnoteDefinition(node, context) {
      const name = node.identifier.toLowerCase();
      // Links in a tooltip can't be followed.
      const words = context.textContent(node).replace(/https?:\/\/\S+/g, ' ');
      notes.set(name, words.replace(/\s+/g, ' ').trim());
    },
    code(node, context) {
      if (node.lang !== 'chart') return;
      try {
        figures.push(chartFigure(readChart(node.value), figures.length + 1));
      } catch (error) {
        if (!(error instanceof ChartProblem)) throw error;
        const fence = lineOf(node) ?? firstLine;
        throw ContentProblem.at(file, fence + (error.line ?? 0), error.message);
      }
      context.replaceNode(node, {
        type: 'chart',
        children: [],
        data: { hName: 'div', hProperties: { dataFigure: String(figures.length) } },
      });
    },
  });

  const ids = new Map<string, number>();
  const finish = defineHastPlugin({
    name: 'content-style',
    element: [
      {
        filter: ['h2', 'h3'],
        visit(node, context) {
          if (node.properties.id === 'footnote-label') {
            context.setProperty(node, 'className', ['notes__title']);
            return;
          }
          const slug = slugOf(context.textContent(node));
          const count = ids.get(slug) ?? 0;
          ids.set(slug, count + 1);
          context.setProperty(node, 'id', count === 0 ? slug : `${slug}-${count}`);
        },
      },
      {
        // The browser keeps its place before it is loaded.
        filter: ['img'],
        visit(node, context) {
          const [, , width, height] = imagePath.exec(String(node.properties.src)) ?? [];
          const properties = { width, height, loading: 'lazy', decoding: 'async' };
          for (const [name, value] of Object.entries(properties)) context.setProperty(node, name, value);
        },
      },
      {
        // On a phone the cells of a row are stacked, each labeled with the head of its column.
        filter: ['table'],
        visit(table, context) {
          const rows = table.children.flatMap((part) => (part.type === 'element' ? part.children : []));
          const [heads = [], ...lines] = rows
            .filter((row) => row.type === 'element')
            .map((row) => row.children.filter((cell) => cell.type === 'element'));
          // With two columns, the second needs no label.
          if (heads.length < 3) return;
          for (const cells of lines)
            for (const [index, cell] of cells.entries())
              if (index > 0) context.setProperty(cell, 'dataHead', context.textContent(heads[index]!));
        },
      },
      {
        // A long line scrolls, which must be possible with the keyboard.
        filter: ['pre'],
        visit(node, context) {
          context.setProperty(node, 'tabIndex', 0);
        },
      },
      {
        filter: ['a'],
        visit(node, context) {
          // The page shows the note as a tooltip at its reference.
          const [, name] = /^#fn-(.+)$/.exec(String(node.properties.href)) ?? [];
          const note = name === undefined ? undefined : notes.get(decoded(name));
          if (note !== undefined) context.setProperty(node, 'dataTooltip', note);
        },
      },
    ],
  });

  const { html } = markdownToHtml(text, {
    mdastPlugins: [rules],
    hastPlugins: [finish],
    features: {
      frontmatter: false,
      gfm: {
        footnotes: {
          label: renderedTexts.notes,
          backContent: '↑',
          backLabel: renderedTexts.backToText,
          clobberPrefix: '',
        },
      },
    },
  });
  for (const name of notes.keys())
    if (!referenced.has(name)) throw ContentProblem.at(file, null, texts.noteUnused(name));
  const headings = new Set(outlineOf(html).map(({ id }) => `#${id}`));
  const deadLink = anchors.find(({ url }) => !headings.has(decoded(url)));
  if (deadLink) throw ContentProblem.at(file, deadLink.line, texts.deadHeadingLink(deadLink.url));
  return html
    .replace(/<div data-figure="(\d+)"><\/div>/g, (_, number: string) => figures[Number(number) - 1] ?? '')
    .trim();
}

/** A percent-encoded text, or the text itself if it is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import sanitizeHtml from 'sanitize-html';
import { isBlankHtml } from '#domain/visible-text.ts';

const allowedTags = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'div', 'section', 'span', 'blockquote', 'pre'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...['em', 'strong', 'b', 'i', 'u', 's', 'small', 'sub', 'sup', 'mark', 'q', 'cite', 'code', 'kbd', 'samp', 'var'],
  ...['abbr', 'dfn', 'time', 'del', 'ins', 'bdi', 'bdo', 'wbr', 'ruby', 'rt', 'rp'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'figure', 'figcaption', 'img'],
];
const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  '*': ['lang', 'dir', 'title'],
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  time: ['datetime'],
  del: ['datetime'],
  ins: ['datetime'],
  abbr: ['title'],
  details: ['open'],
};
/** Elements that are dropped with their content. */
const droppedWhole = [
  ...['script', 'style', 'textarea', 'option', 'xmp', 'iframe', 'frame', 'object', 'embed', 'applet'],
  ...['noscript', 'noembed', 'noframes', 'template', 'svg', 'math', 'title', 'select'],
];
const linkSchemes = ['http', 'https', 'mailto'];
const imageSchemes = ['http', 'https'];
const structural = new Set(['html', 'head', 'body']);
/** The number of removed kinds that are listed per text. */
const namedParts = 12;

/**
 * Sanitizes HTML for pages: headings, lists, emphasis, tables, figures, and http, https, or mailto links stay.
 * Everything that runs scripts, embeds, styles, or loads from elsewhere is dropped and listed in `removed`, each kind
 * once. HTML without visible content becomes empty.
 */
export function makeHtmlSafe(html: string): { html: string; removed: string[] } {
  const removed = new Set<string>();
  const note = (part: string) => {
    if (removed.size < namedParts) removed.add(part.slice(0, 60));
  };
  const safe = sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
    allowedSchemes: linkSchemes,
    allowedSchemesByTag: { img: imageSchemes },
    nonTextTags: droppedWhole,
    parseStyleAttributes: false,
    nestingLimit: 60,
    transformTags: {
      '*': (tagName, attribs) => {
        if (!allowedTags.includes(tagName)) {
          if (!structural.has(tagName)) note(`<${tagName}>`);
          return { tagName, attribs };
        }
        const kept: Record<string, string> = {};
        for (const [name, value] of Object.entries(attribs)) {
          if (!allowedAttributes['*']?.includes(name) && !allowedAttributes[tagName]?.includes(name)) {
            note(`${name} of <${tagName}>`);
            continue;
          }
          const scheme = name === 'href' || name === 'src' ? schemeOf(value) : null;
          if (scheme !== null && !(tagName === 'img' ? imageSchemes : linkSchemes).includes(scheme)) {
            note(`${scheme}: in ${name} of <${tagName}>`);
            continue;
          }
          kept[name] = value;
        }
        return { tagName, attribs: kept };
      },
    },
  });
  return { html: isBlankHtml(safe) ? '' : safe.trim(), removed: [...removed] };
}

/** The scheme of a URL as browsers parse it, ignoring control characters and blanks. */
function schemeOf(address: string): string | null {
  const match = /^([a-z][a-z0-9+.-]*):/i.exec(
    address.replace(/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\ufeff]/g, ''),
  );
  return match?.[1]?.toLowerCase() ?? null;
}

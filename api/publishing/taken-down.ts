/** Pages and feeds that list polls or articles. */
const lists = /^(index|historical|historical\/\w+\/[^/]+|community-polls|integrity|blog|blog\/category\/[^/]+)\.html$/;
/** Pages that list some at their ends. */
const reports = /^(poll|blog)\/[\w-]+\.html$/;
const feeds = /^((historical|blog)\/(rss|atom)|sitemap-[\w-]+)\.xml$/;

/** Whether a file may show polls or articles other than the one whose page it is. */
export function listsPolls(path: string): boolean {
  return lists.test(path) || reports.test(path) || feeds.test(path);
}

/**
 * The content of a file without the entries for these polls, and articles by their addresses: cards and links in lists,
 * feed entries, and props of islands. Unchanged content if it shows none of them.
 */
export function withoutPolls(path: string, content: string, ids: ReadonlySet<string>): string {
  if (feeds.test(path)) return withoutEntries(content, ids);
  const left = withoutWaves(content, ids);
  if (reports.test(path)) return withoutRelated(left, ids);
  return withoutItems(withoutProps(left, ids), ids);
}

function withoutEntries(xml: string, ids: ReadonlySet<string>): string {
  const ranges: Range[] = [];
  let start = 0;
  for (const { 0: tag, index } of xml.matchAll(/<\/?(?:item|entry|url)>/g)) {
    if (!tag.startsWith('</')) {
      start = index;
      continue;
    }
    const end = index + tag.length;
    const link = /<(?:link|id|loc)>[^<]*(?:\/(?:poll|community-polls)\/([\w-]+)|(\/blog\/[\w-]+))</;
    const [, poll, article] = link.exec(xml.slice(start, end)) ?? [];
    const id = poll ?? article;
    if (id === undefined || !ids.has(id)) continue;
    // With its whole line, including indentation.
    const before = xml.lastIndexOf('\n', start) + 1;
    const isOwnLine = xml[end] === '\n' && xml.slice(before, start).trim() === '';
    ranges.push(isOwnLine ? [before, end + 1] : [start, end]);
  }
  return without(xml, ranges);
}

/** A range of characters; the end is exclusive. */
type Range = readonly [start: number, end: number];

/** The text without these ranges, which are sorted and do not overlap. */
function without(text: string, ranges: readonly Range[]): string {
  const starts = [0, ...ranges.map(([, end]) => end)];
  return starts.map((start, place) => text.slice(start, ranges[place]?.[0])).join('');
}

/** Only the list at the end: an analysis may contain lists with links of its own. */
function withoutRelated(html: string, ids: ReadonlySet<string>): string {
  const start = Math.max(
    ...['part', 'related'].map((name) =>
      html.lastIndexOf(`<section class="${name} no-print" aria-labelledby="related"`),
    ),
  );
  const end = html.indexOf('</section>', start) + '</section>'.length;
  if (start < 0 || end < start) return html;
  const section = html.slice(start, end);
  const left = withoutItems(section, ids);
  return html.slice(0, start) + (left.includes('<li') ? left : '') + html.slice(end);
}

/** The chart of a series is drawn from all of its polls: it is left out until the page is rendered again. */
function withoutWaves(html: string, ids: ReadonlySet<string>): string {
  const start = html.indexOf('<section class="part" aria-labelledby="waves"');
  const end = html.indexOf('</section>', start) + '</section>'.length;
  if (start < 0 || end < start) return html;
  const links = html.slice(start, end).matchAll(/href="\/poll\/([\w-]+)"/g);
  const listed = [...links].some(([, id = '']) => ids.has(id));
  return listed ? html.slice(0, start) + html.slice(end) : html;
}

/** Cuts out the innermost list item around each link to one of the polls or articles. */
function withoutItems(html: string, ids: ReadonlySet<string>): string {
  const open: { readonly start: number; isTaken: boolean }[] = [];
  let ranges: Range[] = [];
  const tokens = /<li[\s>]|<\/li>|href="(?:\/(?:poll|community-polls)\/([\w-]+)|(\/blog\/[\w-]+))"/g;
  for (const { 0: text, 1: poll, 2: article, index } of html.matchAll(tokens)) {
    const id = poll ?? article;
    if (text === '</li>') {
      const item = open.pop();
      const end = index + text.length;
      if (item?.isTaken) ranges = [...ranges.filter(([start]) => start < item.start), [item.start, end]];
    } else if (id === undefined) open.push({ start: index, isTaken: false });
    else if (ids.has(id) && open.length > 0) open.at(-1)!.isTaken = true;
  }
  return without(html, ranges);
}

/** Removes the polls from the lists in islands’ props, in Astro’s serialization, and in those of what React replaces. */
function withoutProps(html: string, ids: ReadonlySet<string>): string {
  return html.replace(/ ((?:data-)?props)="([^"]*)"/g, (attribute, name: string, escaped: string) => {
    const props = parsed(unescaped(escaped));
    const left = withoutMembers(props, ids);
    const [before, after] = [JSON.stringify(props), JSON.stringify(left)];
    return before === after ? attribute : ` ${name}="${escapedText(after)}"`;
  });
}

/** A damaged page must not keep others from being changed. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function withoutMembers(value: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.filter((member) => !ids.has(pollIdOf(member) ?? '')).map((member) => withoutMembers(member, ids));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMembers(member, ids)]));
}

/**
 * The id of a poll, `{ "id": "…", "question": "…" }`, or in Astro’s serialization
 * `[0, { "id": [0, "…"], "question": [0, "…"] }]`. Answer options have ids, too.
 */
function pollIdOf(member: unknown): string | undefined {
  const isSerialized = Array.isArray(member) && member[0] === 0;
  const { id, question } = Object(isSerialized ? member[1] : member) as {
    readonly id?: unknown;
    readonly question?: unknown;
  };
  const text: unknown = isSerialized ? (id as readonly unknown[] | undefined)?.[1] : id;
  return typeof text === 'string' && question !== undefined ? text : undefined;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** As Astro writes them in attributes that are not an island’s. */
const attributeEntities: Readonly<Record<string, string>> = { '&#34;': '"', '&#38;': '&' };
const escapedText = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
const unescaped = (text: string) =>
  text.replace(
    /&(?:amp|lt|gt|quot|#3[489]);/g,
    (entity) => attributeEntities[entity] ?? Object.keys(entities).find((sign) => entities[sign] === entity) ?? entity,
  );

import { fileURLToPath } from 'node:url';

/** What Rolldown tells of modules while it forms chunks. */
interface Graph {
  getModuleInfo(id: string): {
    readonly isEntry: boolean;
    readonly importers: readonly string[];
    readonly dynamicImporters: readonly string[];
  } | null;
}

/** The first scripts of pages with a ballot, and the islands whose pages have a limit for their scripts, lightest first. */
export const layers = [
  { name: 'first', entry: /^site\/(pages\/index|polls\/OpenPollPage)\.astro\?/ },
  { name: 'home', entry: /^site\/polls\/ActivePolls\.island/ },
  { name: 'poll', entry: /^site\/polls\/Poll\.island/ },
  { name: 'list', entry: /^site\/polls\/community\/CommunityList\.island/ },
] as const;
/** Who else loads a module of a layer: scripts, which do without React, or islands without a ballot. */
const others = [
  { name: '-scripts', entry: /\.astro\?/ },
  { name: '-islands', entry: /^site\/(?!polls\/[^/]+$).*\.island/ },
] as const;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const pathOf = (id: string) => (id.startsWith(root) ? id.slice(root.length) : id);

/** The paths of the entries that load a module together with themselves: scripts of pages, islands, and what is imported on demand. */
function entriesOf(start: string, graph: Graph): string[] {
  const found = new Set([start]);
  for (const id of found) for (const importer of graph.getModuleInfo(id)?.importers ?? []) found.add(importer);
  const isEntry = (id: string) => {
    const module = graph.getModuleInfo(id);
    return module !== null && (module.isEntry || module.dynamicImporters.length > 0);
  };
  return [...found].filter(isEntry).map(pathOf);
}

/**
 * The file of a module that several entries share: one of the first layer that loads it. Null leaves the module to
 * Rolldown, which makes a file for each set of entries.
 */
export function chunkOf(id: string, graph: Graph): string | null {
  const entries = entriesOf(id, graph);
  const layer = layers.find(({ entry }) => entries.some((path) => entry.test(path)));
  // Astro takes the style sheet of a file with an island for one of its pages’, and removes it.
  if (layer === undefined || entries.length === 1 || entries.includes(pathOf(id))) return null;
  const other = others.find(({ entry }) => entries.some((path) => entry.test(path)));
  return layer.name + (other?.name ?? '');
}

/** What goes into one file: by package, and by the islands that load it. A group takes what its modules import, so the order counts. */
export const scriptGroups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  ...layers
    .flatMap(({ name }) => [...others.map((other) => name + other.name), name])
    .map((name) => ({ name: (id: string, graph: Graph) => (chunkOf(id, graph) === name ? name : null) })),
];

import type { AstroIntegration } from 'astro';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PageData } from '#contract/page-data.ts';

/** What pages show in a process in which Astro itself renders them: the development server, or a plain build. */
export interface LivePages {
  /** The data as of now. */
  data(): PageData;
  /** The addresses of all pages of dynamic routes; others are ignored. */
  addresses(): Promise<readonly string[]>;
}

const key = Symbol.for('weathervane.live-pages');
// Pages are bundled and have modules of their own, so the process is what both sides share.
const shared = globalThis as { [key]?: LivePages };

/** The pages of this process; throws if it has none. */
export function livePages(): LivePages {
  const pages = shared[key];
  if (!pages) throw new Error('This process has no data for pages: add the integration showLivePages.');
  return pages;
}

const dynamicPage = new RegExp(
  `^${fileURLToPath(new URL('../pages/', import.meta.url))}(.*\\[\\w+\\].*)\\.(astro|ts)$`,
);

/** Hands pages their data, and gives dynamic routes the list of their pages, which the renderer does without. */
export function showLivePages(pages: LivePages): AstroIntegration {
  shared[key] = pages;
  return {
    name: 'live-pages',
    hooks: {
      'astro:config:setup': ({ addMiddleware, updateConfig }) => {
        addMiddleware({ order: 'pre', entrypoint: new URL('live-pages-middleware.ts', import.meta.url) });
        updateConfig({
          vite: {
            plugins: [
              {
                name: 'live-pages',
                enforce: 'pre',
                async load(id) {
                  const [, route, extension] = dynamicPage.exec(id) ?? [];
                  const source = route === undefined ? '' : await readFile(id, 'utf8');
                  if (!source.includes('prerender = true')) return null;
                  // Not a static import: Astro counts imports to order a page’s styles.
                  const list = `
export const getStaticPaths = async () => (await import('#site/renderer/live-pages.ts')).pathsOf(${JSON.stringify(route)});
`;
                  return extension === 'ts' ? source + list : source.replace(/^---\n/, `---${list}`);
                },
              },
            ],
          },
        });
      },
    },
  };
}

/** The parameters of every page of a dynamic route, such as `poll/[id]`. */
export async function pathsOf(route: string): Promise<{ params: Record<string, string> }[]> {
  const names = [...route.matchAll(/\[(\w+)\]/g)].map(([, name]) => name!);
  const pattern = new RegExp(`^/${route.replaceAll('.', '\\.').replace(/\[\w+\]/g, '([^/.]+)')}$`);
  return (await livePages().addresses()).flatMap((address) => {
    const values = pattern.exec(address)?.slice(1);
    return values ? [{ params: Object.fromEntries(names.map((name, index) => [name, values[index]!])) }] : [];
  });
}

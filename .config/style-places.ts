import type { AstroIntegration, HookParameters } from 'astro';

type Pages = HookParameters<'astro:build:setup'>['pages'];
type Style = Pages extends Map<string, { styles: (infer S)[] }> ? S : never;

/** Astro’s order: by imports, and deeper ones first; −1 is unknown. */
function compare(a: Style, b: Style): number {
  const place = ({ order }: Style) => (order === -1 ? Infinity : order);
  const depth = (style: Style) => (style.depth === -1 ? Infinity : style.depth);
  if (place(a) !== place(b)) return place(a) < place(b) ? -1 : 1;
  return depth(a) === depth(b) ? 0 : depth(a) > depth(b) ? -1 : 1;
}

/**
 * Gives each style sheet of a page a place of its own. Astro sorts them in the build’s manifest, and once more when it
 * renders pages, by a comparison that swaps those with the same place.
 */
export function stylePlaces(): AstroIntegration {
  let pages: Pages = new Map();
  const number = () => {
    for (const { styles } of pages.values())
      styles.sort(compare).forEach((style, index) => Object.assign(style, { order: index, depth: 0 }));
  };
  return {
    name: 'style-places',
    hooks: {
      'astro:build:setup': ({ pages: all, target, updateConfig }) => {
        if (target !== 'server') return;
        pages = all;
        // The client’s part is built last.
        const applyToEnvironment = ({ name }: { name: string }) => name === 'client';
        updateConfig({ plugins: [{ name: 'style-places', applyToEnvironment, writeBundle: number }] });
      },
    },
  };
}

import type { AstroIntegration } from 'astro';

/** What a run of Astro makes, as it goes: pages with feeds and the like, then pictures. */
export interface AstroProgress {
  readonly step: 'pages' | 'pictures';
  readonly done: number;
  readonly total: number;
}

/** Milliseconds between two reports: there are hundreds of pages in a second. */
const reportEveryMs = 100;

/**
 * Tells how many pages and pictures there are as soon as Astro knows, and how many are done. Pictures come last, so that
 * each of both counts to its end once.
 */
export function astroProgress(report: (progress: AstroProgress) => void): AstroIntegration {
  return {
    name: 'build-progress',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ vite: { plugins: [usualEntry] } });
      },
      'astro:build:start': ({ setPrerenderer }) => {
        const counts = { pages: { done: 0, total: 0 }, pictures: { done: 0, total: 0 } };
        let reportedAt = -Infinity;
        const tell = (step: AstroProgress['step']) => {
          const { done, total } = counts[step];
          const now = performance.now();
          if (done > 0 && done < total && now - reportedAt < reportEveryMs) return;
          reportedAt = now;
          report({ step, done, total });
        };
        setPrerenderer((astros) => ({
          ...astros,
          async getStaticPaths() {
            const paths = await astros.getStaticPaths();
            const [pages, pictures] = [
              paths.filter(({ pathname }) => stepOf(pathname) === 'pages'),
              paths.filter(({ pathname }) => stepOf(pathname) === 'pictures'),
            ];
            counts.pages.total = pages.length;
            counts.pictures.total = pictures.length;
            tell('pages');
            return [...pages, ...pictures];
          },
          async render(request, options) {
            const answer = await astros.render(request, options);
            const step = stepOf(new URL(request.url).pathname);
            counts[step].done += 1;
            tell(step);
            return answer;
          },
        }));
      },
    },
  };
}

// Whoever sets a prerenderer has to name its entry as well; this is the one that Astro's own has.
const usualEntry = {
  name: 'usual-prerender-entry',
  configEnvironment: (name: string) =>
    name === 'prerender' ? { build: { rolldownOptions: { input: 'astro/entrypoints/prerender' } } } : undefined,
};

const stepOf = (path: string): AstroProgress['step'] => (/\.(png|ico)$/.test(path) ? 'pictures' : 'pages');

import type { StaticPages } from '#contract/static-page.ts';
import { staticPage } from '#api/blog/static-pages.service.ts';
import type { PageSettings } from '#api/blog/static-pages.service.ts';

/** All static pages. */
export async function staticPages(settings: PageSettings, folder?: string): Promise<StaticPages> {
  return {
    about: await staticPage('about', settings, folder),
    integrity: await staticPage('integrity', settings, folder),
    terms: await staticPage('terms', settings, folder),
    privacy: await staticPage('privacy', settings, folder),
    disclaimer: await staticPage('disclaimer', settings, folder),
  };
}

import type { StaticPages } from '#api/content/blog/static-pages.contract.ts';
import { pageFromFile } from '#api/content/blog/static-pages.service.ts';
import type { PageSettings } from '#api/content/blog/static-pages.service.ts';

/** All static pages. */
export async function staticPages(settings: PageSettings, folder?: string): Promise<StaticPages> {
  return {
    about: await pageFromFile('about', settings, folder),
    integrity: await pageFromFile('integrity', settings, folder),
    terms: await pageFromFile('terms', settings, folder),
    privacy: await pageFromFile('privacy', settings, folder),
    disclaimer: await pageFromFile('disclaimer', settings, folder),
  };
}

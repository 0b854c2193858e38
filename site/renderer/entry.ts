import { createApp } from 'astro/app/entrypoint';
import type { PageData } from '#contract/page-data.ts';
import { finishPage } from '#site/layouts/finish-page.ts';
import { fixedAddresses } from './fixed-addresses.ts';
import { whyNotSaved } from './save-rule.ts';

/**
 * The entry of the code build's renderer: renders pre-rendered pages as `astro build` would, but one at a time and with
 * data that is handed in (decision 155).
 */

const app = createApp({ streaming: false });
const { manifest } = app;
// The site's middleware would wrap every response; what it does to pre-rendered pages is done below.
manifest.middleware = undefined;
// An error is the caller's to report; the app would log it and render a page about it.
app.renderError = (_request, { error, status }) =>
  Promise.reject(error instanceof Error ? error : new Error(`The page has the status ${status}.`));
app.logger.options.level = 'silent';

// A route that is not prerendered takes any parameters: of a prerendered one, Astro would ask for the list of its pages.
const routes = manifest.routes
  .filter(({ routeData }) => routeData.prerender && routeData.origin === 'project')
  .map(({ routeData }) => ({ ...routeData, prerender: false }));

/** The addresses of all pages that exist whatever the database has. */
export const allFixedAddresses: readonly string[] = [
  ...routes.flatMap(({ pathname }) => pathname ?? []),
  ...fixedAddresses,
];

/** Renders the page, feed, or picture at an address, such as `/poll/tea`; null if there is none. Rejects with its error. */
export async function render(address: string, data: PageData): Promise<Buffer | null> {
  const routeData = routes.find(({ pattern }) => pattern.test(address));
  if (!routeData) return null;
  const response = await app.render(new Request(new URL(address, 'http://localhost')), { routeData, locals: { data } });
  if (response.status === 204) return null;
  const problem = whyNotSaved(address, response);
  if (problem !== null) throw new Error(problem);
  const body = Buffer.from(await response.arrayBuffer());
  return response.headers.get('content-type')?.startsWith('text/html') ? finishPage(body) : body;
}

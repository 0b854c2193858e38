import { hash } from 'node:crypto';
import { createApp } from 'astro/app/entrypoint';
import type { ReactElement } from 'react';
import ReactDOM from 'react-dom/server';
import type { PageData } from '#contract/page-data.ts';
import { withStyleInHead } from '#site/layouts/island-style.ts';
import { withOwnHashes } from '#site/layouts/page-policy.ts';
import { fixedAddresses } from './fixed-addresses.ts';

/**
 * The entry of the code build's renderer: renders pre-rendered pages as `astro build` would, but one at a time and with
 * data that is handed in (decision 155).
 */

const app = createApp({ streaming: false });
const { manifest } = app;
if (manifest.csp) {
  // A build writes the policy into the page instead of a header.
  manifest.csp.cspDestination = 'meta';
  // Astro has a hash once for each page that needs it, and looks for duplicates when it renders a page.
  for (const directive of [manifest.csp.scriptDirective, manifest.csp.styleDirective])
    if (directive) directive.hashes = [...new Set(directive.hashes)];
}
// The site's middleware would wrap every response; what it does to pre-rendered pages is done below.
manifest.middleware = undefined;
// An error is the caller's to report; the app would log it and render a page about it.
app.renderError = (_request, { error, status }) =>
  Promise.reject(error instanceof Error ? error : new Error(`The page has the status ${status}.`));
app.logger.options.level = 'silent';
// Astro hashes the inline styles and scripts of every page; a trip through the thread pool takes longer than the hash.
crypto.subtle.digest = (algorithm, data) =>
  Promise.resolve(new Uint8Array(hash(algorithm as string, data as Uint8Array, 'buffer')).buffer);
/**
 * Astro renders each component of React as a stream of the web, which takes a twelfth of a page's time. None waits for data,
 * so that the text is the same at once.
 */
ReactDOM.renderToReadableStream = (component, options) => {
  const chunks = [Buffer.from(textOf(component as ReactElement, options?.identifierPrefix ?? ''))];
  const read = () => Promise.resolve({ value: chunks.pop(), done: chunks.length === 0 });
  return Promise.resolve({ getReader: () => ({ read }) } as unknown as ReactDOM.ReactDOMServerReadableStream);
};

/** Weak, because Astro also renders functions that it makes for a single page. */
const sameEverywhere = new WeakMap<object, Map<string, string>>();
/** What a component renders, once if nothing is passed to it: such are on every page. */
function textOf(component: ReactElement, identifierPrefix: string): string {
  const render = () => ReactDOM.renderToString(component, { identifierPrefix });
  if (Object.keys(component.props as object).length > 0) return render();
  const type = Object(component.type) as object;
  const texts = sameEverywhere.get(type) ?? new Map<string, string>();
  sameEverywhere.set(type, texts);
  const text = texts.get(identifierPrefix) ?? render();
  texts.set(identifierPrefix, text);
  return text;
}

const nothing = () => null;
// Astro renders each component first to see whether it is one of React. All are, but the identifiers count those renderings.
for (const { ssr } of manifest.renderers) {
  const { check } = ssr;
  ssr.check = async function (this: unknown, ...given: Parameters<typeof check>) {
    if (typeof given[0] !== 'function') return check.apply(this, given);
    await check.call(this, nothing, { once: true }, {});
    return true;
  };
}

/** A page's bytes as they are: a response of the web would copy them twice. */
class PageResponse extends Response {
  readonly page: Buffer | null;
  constructor(body?: BodyInit | null, init?: ResponseInit) {
    const isPage = body instanceof Uint8Array && init?.status === 200;
    super(isPage ? null : body, init);
    this.page = isPage ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : null;
  }
}
globalThis.Response = PageResponse;

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
  const body = (response as PageResponse).page ?? Buffer.from(await response.arrayBuffer());
  return response.headers.get('content-type')?.startsWith('text/html')
    ? withOwnHashes(withStyleInHead(body), null).page
    : body;
}

const resourcePolicy = 'Cross-Origin-Resource-Policy';
const contentPolicy = 'Content-Security-Policy';

/**
 * Headers that every answer but a hashed asset carries, pages and API alike, as a flat list of names and values. What a page may load
 * is in its own policy, which the build writes into it; frame-ancestors works as a header only. Only pages that are
 * `framed` may stand inside other people's pages.
 */
export function securityHeaders(publicUrl: string, { framed = false } = {}): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
    'Permissions-Policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    resourcePolicy,
    framed ? 'cross-origin' : 'same-origin',
    contentPolicy,
    framed ? 'frame-ancestors *' : "frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] : []),
  ];
}

const framed = /^\/embed\/poll\/[\w-]+(\?|$)/;

/** Whether an address is that of a page for other people's pages. Nothing else fits, however it is spelt. */
export const isFramed = (address: string) => framed.test(address);

const picture = /\.(png|svg|ico|webp|avif|jpe?g|gif)$/;
const noPage = /^\/api(\/|$)|\.(png|ico|webp|avif|jpe?g|gif|json|xml|txt|csv|webmanifest|pdf)$/;

/**
 * The headers of a path. What shows a link to us may show our picture, too; everything else is for our own pages. What is
 * no page loads nothing and runs nothing, should somebody open it as if it were one; the icon has a style in it.
 */
export function headersFor(path: string, always: readonly string[]): readonly string[] {
  const policy = noPage.test(path) ? "default-src 'none'; " : path.endsWith('.svg') ? "script-src 'none'; " : '';
  const shared = picture.test(path);
  if (policy === '' && !shared) return always;
  return always.map((value, place) => {
    const name = always[place - 1];
    if (name === resourcePolicy && shared) return 'cross-origin';
    return name === contentPolicy ? policy + value : value;
  });
}

/** The headers of what is nobody's page: answers of the API, and sentences where there is no page to show. */
export const closedHeaders = (always: readonly string[]) => headersFor('/api', always);

/** What a hashed asset needs of them: it is never a document, and a page asks for many. */
export const assetSecurityHeaders: readonly string[] = ['X-Content-Type-Options', 'nosniff'];

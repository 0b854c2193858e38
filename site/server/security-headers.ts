const openerPolicy = 'Cross-Origin-Opener-Policy';
/** As in received headers. */
export const openerPolicyName = 'cross-origin-opener-policy';
const resourcePolicy = 'Cross-Origin-Resource-Policy';
const contentPolicy = 'Content-Security-Policy';

/**
 * Headers of every response except hashed assets, as a flat list of names and values. What a page may load is in its
 * own policy, which the build writes into it; frame-ancestors works only as a header. Only `framed` pages may be
 * embedded by other sites, and only `linked` ones opened by sandboxed frames.
 */
export function securityHeaders(publicUrl: string, { framed = false, linked = false } = {}): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
    'Permissions-Policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    openerPolicy,
    linked ? linkedOpenerPolicy : 'same-origin',
    resourcePolicy,
    framed ? 'cross-origin' : 'same-origin',
    contentPolicy,
    framed ? 'frame-ancestors *' : "frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] : []),
  ];
}

const framed = /^\/embed\/poll\/[\w-]+(\?|$)/;

/** Whether a path is that of an embeddable page, in exactly this spelling. */
export const isFramed = (address: string) => framed.test(address);

/** Browsers refuse to open a page with any other opener policy from a sandboxed frame, such as a poll on another site. */
export const linkedOpenerPolicy = 'unsafe-none';

const linked = /^\/(poll\/[\w-]+|(poll|community-polls)\/[\w-]+\/vote)(\?|$)/;

/**
 * Whether a path is that of a weekly poll or report, or of the answer to a vote sent as a form. Community polls decide by
 * themselves, because they may be private.
 */
export const isLinked = (address: string) => linked.test(address);

const picture = /\.(png|svg|ico|webp|avif|jpe?g|gif)$/;
const noPage = /^\/api(\/|$)|\.(png|ico|webp|avif|jpe?g|gif|json|xml|txt|csv|webmanifest|pdf)$/;

/**
 * The headers of a path. Other sites may show our share pictures and open polls; everything else is for our own pages. Files
 * that are not pages may load and run nothing if they are opened directly; the icon contains a style.
 */
export function headersFor(path: string, always: readonly string[]): readonly string[] {
  if (isLinked(path)) return always.map((value, at) => (always[at - 1] === openerPolicy ? linkedOpenerPolicy : value));
  const policy = noPage.test(path) ? "default-src 'none'; " : path.endsWith('.svg') ? "script-src 'none'; " : '';
  const shared = picture.test(path);
  if (policy === '' && !shared) return always;
  return always.map((value, place) => {
    const name = always[place - 1];
    if (name === resourcePolicy && shared) return 'cross-origin';
    return name === contentPolicy ? policy + value : value;
  });
}

/** The headers of responses that are not pages: API responses and plain error pages. */
export const closedHeaders = (always: readonly string[]) => headersFor('/api', always);

/** The headers of hashed assets, which are never documents and are requested in large numbers. */
export const assetSecurityHeaders: readonly string[] = ['X-Content-Type-Options', 'nosniff'];
/** Added to those of fonts, which a sandboxed frame loads like another site’s. */
export const fontHeaders: readonly string[] = ['Access-Control-Allow-Origin', '*'];

const openerPolicy = 'Cross-Origin-Opener-Policy';
/** As in received headers. */
export const openerPolicyName = 'cross-origin-opener-policy';
const resourcePolicy = 'Cross-Origin-Resource-Policy';
const contentPolicy = 'Content-Security-Policy';

/**
 * Headers of every response except hashed assets, as a flat list of names and values. What a page may load is in its
 * own policy, which the build writes into it; frame-ancestors works only as a header.
 */
export function securityHeaders(publicUrl: string): readonly string[] {
  return [
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
    'Permissions-Policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    openerPolicy,
    'same-origin',
    resourcePolicy,
    'same-origin',
    contentPolicy,
    "frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] : []),
  ];
}

/** Browsers refuse to open a page with any other opener policy from a sandboxed frame, such as a poll on another site. */
export const linkedOpenerPolicy = 'unsafe-none';

/** The pages that other sites may embed, and the one that says there that there is no such page; in exactly this spelling. */
const framed = /^\/(embed\/((poll|community-polls)\/[\w-]+|series\/[\w%-]+)|404\/embed)$/;
/**
 * Weekly polls and reports, and the answers to votes sent as forms, which may be opened from sandboxed frames. Community
 * polls decide by themselves, because they may be private.
 */
const linked = /^\/(poll\/[\w-]+|(poll|community-polls)\/[\w-]+\/vote)$/;
/** Embedded polls to vote on in place, for the sites that the operator lists. */
const framedBallot = /^\/embed\/poll\/[\w-]+\/vote$/;
const picture = /\.(png|svg|ico|webp|avif|jpe?g|gif)$/;
const noPage = /^\/api(\/|$)|\.(png|ico|webp|avif|jpe?g|gif|json|xml|txt|csv|webmanifest|pdf)$/;

/**
 * The headers of a path. Other sites may show our share pictures and open polls; everything else is for our own pages. Files
 * that are not pages may load and run nothing if they are opened directly; the icon contains a style. `votingSites`: the
 * origins that may frame ballots.
 */
export function headersFor(
  path: string,
  always: readonly string[],
  votingSites: readonly string[] = [],
): readonly string[] {
  const policy = noPage.test(path) ? "default-src 'none'; " : path.endsWith('.svg') ? "script-src 'none'; " : '';
  const ancestors = framed.test(path) ? '*' : framedBallot.test(path) ? votingSites.join(' ') : '';
  const isFramed = ancestors !== '';
  const own: Readonly<Record<string, string>> = {
    ...(linked.test(path) && { [openerPolicy]: linkedOpenerPolicy }),
    ...((isFramed || picture.test(path)) && { [resourcePolicy]: 'cross-origin' }),
    ...((isFramed || policy !== '') && { [contentPolicy]: `${policy}frame-ancestors ${ancestors || "'none'"}` }),
  };
  // Most pages have no other ones.
  if (Object.keys(own).length === 0) return always;
  return always.map((value, place) => own[always[place - 1] ?? ''] ?? value);
}

/** The headers of responses that are not pages: API responses and plain error pages. */
export const closedHeaders = (always: readonly string[]) => headersFor('/api', always);

/** The headers of hashed assets, which are never documents and are requested in large numbers. */
export const assetSecurityHeaders: readonly string[] = ['X-Content-Type-Options', 'nosniff'];
/** Added to those of fonts, which a sandboxed frame loads like another site’s. */
export const fontHeaders: readonly string[] = ['Access-Control-Allow-Origin', '*'];

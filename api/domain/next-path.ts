/** Longer paths are ignored. */
const maxLength = 2_000;
/** Stands in for the site’s origin while parsing. */
const origin = 'https://here.invalid';
/** Browsers strip or convert these characters before they follow a URL, so that "/\t/evil" would leave the site. */
const unsafe = /^\/\/|[\u0000-\u0020\u007f\\]/;
/** Paths that are useless after signing in: the sign-in page itself, and the API. */
const useless = /^\/(auth|api)(\/|$)/;

/**
 * The page after signing in: the requested address if it is a path of this site, with query and fragment, otherwise the
 * home page. Any disguise of another site or a script leads to the home page (prevents open redirects).
 */
export function nextPath(asked: string | null | undefined): string {
  if (!asked?.startsWith('/') || asked.length > maxLength || unsafe.test(asked)) return '/';
  const url = new URL(asked, origin);
  // A path that begins with two slashes after its dots are resolved would be parsed as a host the next time.
  if (url.pathname.startsWith('//') || useless.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** The address of the sign-in page that returns to a path. */
export function signInAddress(back: string): string {
  const next = nextPath(back);
  return next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`;
}

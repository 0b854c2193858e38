/** Longest path that is worth keeping. */
const longest = 2_000;
/** Stands for this site while an address is read. */
const here = 'https://here.invalid';
/** Browsers drop or turn these before they follow an address, so that "/\t/evil" would lead away. */
const treacherous = /^\/\/|[\u0000-\u0020\u007f\\]/;
/** Where nobody wants to arrive after signing in: the sign-in page itself, and calls. */
const pointless = /^\/(auth|api)(\/|$)/;

/**
 * Where somebody goes on after signing in: the asked address when it is a path of this site, with query and fragment,
 * else the home page. Addresses of other sites, in whatever disguise, and scripts lead home.
 */
export function nextPath(asked: string | null | undefined): string {
  if (!asked?.startsWith('/') || asked.length > longest || treacherous.test(asked)) return '/';
  const url = new URL(asked, here);
  // A path that begins with two slashes once its dots are resolved would be read as another host the next time.
  if (url.pathname.startsWith('//') || pointless.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}

/** The address of the sign-in page that leads back to a path. */
export function signInAddress(back: string): string {
  const next = nextPath(back);
  return next === '/' ? '/auth' : `/auth?next=${encodeURIComponent(next)}`;
}

/**
 * Why a response may not be saved for everyone; null if it may. An error, or what may have been made for one visitor, must
 * never become a page. The page about missing addresses is the only one with another status.
 */
export function whyNotSaved(address: string, { status, headers }: Response): string | null {
  if (status !== (address === '/404' ? 404 : 200)) return `The page has the status ${status}.`;
  if (headers.has('set-cookie')) return 'The page sets a cookie.';
  const cacheControl = headers.get('cache-control') ?? '';
  return /private|no-store/i.test(cacheControl)
    ? `The page may not be shared: Cache-Control is ${cacheControl}.`
    : null;
}

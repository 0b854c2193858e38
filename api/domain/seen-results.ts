/** The cookie with the polls whose results a browser has looked at without voting: ids with dots between, newest first. */
export const seenCookie = 'wv_seen';
export const seenCookieDays = 400;
/** The oldest of more are forgotten, so that the cookie has fewer than 2,000 characters. */
const mostStored = 20;
const pattern = new RegExp(`(?:^|;) *${seenCookie}=([A-Za-z0-9_.-]+)(?:;|$)`);

/** The ids in the cookie of a request with this Cookie header. */
export const seenPolls = (header: string): readonly string[] => pattern.exec(header)?.[1]?.split('.') ?? [];

/** The value of the cookie once the results of this poll were looked at, too. */
export const withSeenPoll = (header: string, id: string): string =>
  [id, ...seenPolls(header).filter((seen) => seen !== id)].slice(0, mostStored).join('.');

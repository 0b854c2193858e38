import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Whether somebody seems to be signed in here: a cookie that the server sets beside the session's, readable by scripts
 * and worth nothing to anybody. Readers without an account cause no call by it.
 */
export function hasAccountHint(): boolean {
  return document.cookie.split('; ').includes(`${accountHintCookie}=1`);
}

/** The session has ended, whatever the cookie says. */
export function dropAccountHint(): void {
  document.cookie = `${accountHintCookie}=; path=/; max-age=0; samesite=lax`;
}

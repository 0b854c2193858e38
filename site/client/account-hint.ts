import { accountHintCookie } from '#contract/vocabulary.ts';

/**
 * Whether someone seems to be signed in: a cookie that the server sets next to the session cookie, readable by scripts
 * and granting nothing. Readers without it cause no account request.
 */
export function hasAccountHint(): boolean {
  return document.cookie.split('; ').includes(`${accountHintCookie}=1`);
}

/** Removes the hint after the session has ended, and the places that the page keeps for a member (shell/head). */
export function dropAccountHint(): void {
  delete document.documentElement.dataset.member;
  document.cookie = `${accountHintCookie}=; path=/; max-age=0; samesite=lax`;
}

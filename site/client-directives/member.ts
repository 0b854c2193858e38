import type { ClientDirective } from 'astro';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { readKeptToast } from '#site/ui/kept-toast-storage.ts';

/**
 * `client:member` hydrates an island only for those whose browser hints that they have an account (client/account-hint):
 * at once, or when the page is looked at again after they signed in elsewhere; and for those who have just signed out,
 * who are told so. Other readers load nothing.
 */
const member: ClientDirective = (load) => {
  let started = false;
  const start = () => {
    if (started || !(hasAccountHint() || readKeptToast() !== null)) return;
    started = true;
    load()
      .then((hydrate) => hydrate())
      .catch(() => {
        // Offline, perhaps: what the page was published with is better than nothing, and the next look tries again.
        started = false;
        delete document.documentElement.dataset.member;
      });
  };
  start();
  document.addEventListener('visibilitychange', start);
};

export default member;

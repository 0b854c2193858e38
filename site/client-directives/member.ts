import type { ClientDirective } from 'astro';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { readKeptToast } from '#site/ui/kept-toast-storage.ts';

/**
 * `client:member` hydrates an island only in browsers with the account hint (client/account-hint), on load or when the
 * page becomes visible again after signing in elsewhere, and for people who just signed out, to show their toast. Other
 * readers load nothing.
 */
const member: ClientDirective = (load) => {
  let started = false;
  const start = () => {
    if (started || !(hasAccountHint() || readKeptToast() !== null)) return;
    started = true;
    load()
      .then((hydrate) => hydrate())
      .catch(() => {
        // Perhaps offline: keep the published content, and retry when the page becomes visible.
        started = false;
        delete document.documentElement.dataset.member;
      });
  };
  start();
  document.addEventListener('visibilitychange', start);
};

export default member;

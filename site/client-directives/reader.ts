import type { ClientDirective } from 'astro';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { readerEvent } from '#site/client/reader-event.ts';

/**
 * `client:reader` hydrates an island for likely members when the page is idle; for others on the first touch, focus, or
 * key in it, once it is in view after a scroll, or on `readerEvent`.
 */
const reader: ClientDirective = (load, _options, island) => {
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    removeEventListener('scroll', onScroll);
    load()
      .then((hydrate) => hydrate())
      .catch(() => {
        // Perhaps offline; the next interaction tries again.
        started = false;
      });
  };
  const onScroll = () => island.firstElementChild!.getBoundingClientRect().top < innerHeight && start();
  for (const name of ['pointerover', 'touchstart', 'focusin', 'keydown'])
    island.addEventListener(name, start, { passive: true });
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener(readerEvent, start);
  if (hasAccountHint()) (window.requestIdleCallback ?? setTimeout)(start);
};

export default reader;

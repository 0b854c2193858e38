import type { ClientDirective } from 'astro';
import { hasAccountHint } from '#site/client/account-hint.ts';
import { readerEvent } from '#site/client/reader-event.ts';
import { hydration, repeatPress } from './hydration.ts';

/**
 * `client:reader` hydrates an island for likely members when the page is idle; for others on the first touch, focus, or
 * key in it, once it is in view after a scroll, or on `readerEvent`. A button pressed before is pressed again afterwards.
 */
const reader: ClientDirective = (load, _options, island) => {
  const hydrating = hydration(load);
  const start = () => {
    removeEventListener('scroll', onScroll);
    // Perhaps offline; the next interaction tries again.
    hydrating.start().catch(() => undefined);
  };
  const onScroll = () => island.firstElementChild!.getBoundingClientRect().top < innerHeight && start();
  for (const name of ['pointerover', 'touchstart', 'focusin', 'keydown'])
    island.addEventListener(name, start, { passive: true });
  repeatPress(island, hydrating);
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener(readerEvent, start);
  if (hasAccountHint()) (window.requestIdleCallback ?? setTimeout)(start);
};

export default reader;

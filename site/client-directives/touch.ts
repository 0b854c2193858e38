import type { ClientDirective } from 'astro';
import { readerEvent } from '#site/client/reader-event.ts';
import { hydrateNow, hydration, repeatPress } from './hydration.ts';

const modifiers = ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'] as const;

/**
 * `client:touch` hydrates an island on the first interaction with a part marked `data-touch`, on `readerEvent`, or immediately
 * when the query string differs from the one the HTML was rendered for (the directive’s value; any if it has none), such as after
 * going back. A click on a link or a button, or a choice in a select,
 * made before hydration is repeated afterwards.
 */
const touch: ClientDirective = (load, options, island) => {
  const hydrating = hydration(load);
  const start = () => {
    // Perhaps offline; the next interaction tries again.
    hydrating.start().catch(() => undefined);
  };

  const isOutdated = () => typeof options.value === 'string' && location.search !== options.value;
  if (isOutdated()) {
    start();
    return;
  }

  // After a reload, going back changes the address without loading a page.
  addEventListener('popstate', () => isOutdated() && start());

  addEventListener(readerEvent, start);

  const marked = (event: Event) => event.target instanceof Element && event.target.closest('[data-touch]') !== null;

  for (const name of ['pointerdown', 'focusin', 'keydown']) {
    island.addEventListener(name, (event) => marked(event) && start(), { passive: true });
  }

  repeatPress(island, hydrating, marked);

  island.addEventListener('click', (event) => {
    if (hydrating.isDone() || !marked(event) || !(event instanceof MouseEvent)) return;
    const link = (event.target as Element).closest('a[href]');
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || modifiers.some((key) => event[key])) return;
    event.preventDefault();
    const { href } = link;
    hydrating.start().then(
      () => link.click(),
      () => location.assign(href),
    );
  });

  island.addEventListener('change', (event) => {
    const { target } = event;
    if (hydrating.isDone() || !marked(event) || !(target instanceof HTMLSelectElement)) return;
    const { value } = target;
    hydrating.start().then(
      () => {
        // It resets the value.
        hydrateNow(target);
        target.value = value;
        target.dispatchEvent(new Event('change', { bubbles: true }));
      },
      () => target.form?.submit(),
    );
  });
};

export default touch;

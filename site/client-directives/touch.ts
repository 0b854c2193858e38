import type { ClientDirective } from 'astro';
import { readerEvent } from '#site/client/reader-event.ts';

const modifiers = ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'] as const;

/**
 * `client:touch` hydrates an island on the first interaction with a part marked `data-touch` (`data-touch="hover"`: also
 * when a pointer is over it), on `readerEvent`, or immediately when the query string differs from the one the HTML was rendered for (the
 * directive’s value; any if it has none), such as after going back. A click on a link or a button, or a choice in a select,
 * made before hydration is repeated afterwards.
 */
const touch: ClientDirective = (load, options, island) => {
  let started: Promise<void> | undefined;
  let hydrated = false;
  const start = () =>
    (started ??= load()
      .then((hydrate) => hydrate())
      .then(() => void (hydrated = true)));

  const isOutdated = () => typeof options.value === 'string' && location.search !== options.value;
  if (isOutdated()) {
    hydrated = true;
    void start();
    return;
  }

  // After a reload, going back changes the address without loading a page.
  addEventListener('popstate', () => isOutdated() && void start());

  addEventListener(readerEvent, () => void start());

  const marked = (event: Event) => event.target instanceof Element && event.target.closest('[data-touch]') !== null;

  const hydrateThen = (redo: () => void, otherwise: () => void) => {
    start().then(redo, () => {
      hydrated = true;
      otherwise();
    });
  };

  for (const name of ['pointerdown', 'focusin', 'keydown']) {
    island.addEventListener(name, (event) => marked(event) && void start(), { passive: true });
  }

  island.addEventListener(
    'pointerover',
    ({ target }) => target instanceof Element && target.closest('[data-touch=hover]') !== null && void start(),
    { passive: true },
  );

  island.addEventListener('click', (event) => {
    if (hydrated || !marked(event) || !(event instanceof MouseEvent)) return;
    const button = (event.target as Element).closest('button');
    if (button) {
      hydrateThen(
        () => button.click(),
        () => undefined,
      );
      return;
    }
    const link = (event.target as Element).closest('a[href]');
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || modifiers.some((key) => event[key])) return;
    event.preventDefault();
    const { href } = link;
    hydrateThen(
      () => link.click(),
      () => location.assign(href),
    );
  });

  island.addEventListener('change', (event) => {
    const { target } = event;
    if (hydrated || !marked(event) || !(target instanceof HTMLSelectElement)) return;
    const { value } = target;
    hydrateThen(
      () => {
        // Makes React hydrate the select now, which resets its value.
        target.dispatchEvent(new Event('input', { bubbles: true }));
        target.value = value;
        target.dispatchEvent(new Event('change', { bubbles: true }));
      },
      () => target.form?.submit(),
    );
  });
};

export default touch;

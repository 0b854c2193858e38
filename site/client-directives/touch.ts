import type { ClientDirective } from 'astro';

const modifiers = ['ctrlKey', 'metaKey', 'shiftKey', 'altKey'] as const;

/**
 * `client:touch` hydrates an island when a visitor first touches a part of it that is marked `data-touch`, or at
 * once when the address has another query than the HTML was made for (the directive's value), also by going back.
 * What the visitor did until React was there, a press on a link or a choice from a list, is done again then.
 */
const touch: ClientDirective = (load, options, island) => {
  let started: Promise<void> | undefined;
  let hydrated = false;
  const start = () => (started ??= load().then((hydrate) => hydrate()));

  const isOutdated = () => location.search !== (typeof options.value === 'string' ? options.value : '');
  if (isOutdated()) {
    hydrated = true;
    void start();
    return;
  }

  // A reload keeps the steps made before it: going back through them changes the address and loads nothing.
  addEventListener('popstate', () => isOutdated() && void start());

  const marked = (event: Event) => event.target instanceof Element && event.target.closest('[data-touch]') !== null;

  const afterwards = (redo: () => void, otherwise: () => void) => {
    start().then(
      () => {
        hydrated = true;
        redo();
      },
      () => {
        hydrated = true;
        otherwise();
      },
    );
  };

  for (const name of ['pointerdown', 'focusin', 'keydown']) {
    island.addEventListener(name, (event) => marked(event) && void start(), { passive: true });
  }

  island.addEventListener('click', (event) => {
    if (hydrated || !marked(event) || !(event instanceof MouseEvent)) return;
    const link = (event.target as Element).closest('a[href]');
    if (!(link instanceof HTMLAnchorElement) || event.button !== 0 || modifiers.some((key) => event[key])) return;
    event.preventDefault();
    const { href } = link;
    afterwards(
      () => link.click(),
      () => location.assign(href),
    );
  });

  island.addEventListener('change', (event) => {
    const { target } = event;
    if (hydrated || !marked(event) || !(target instanceof HTMLSelectElement)) return;
    const { value } = target;
    afterwards(
      () => {
        target.value = value;
        target.dispatchEvent(new Event('change', { bubbles: true }));
      },
      () => target.form?.submit(),
    );
  });
};

export default touch;

/** Milliseconds in which a component can move the focus itself. */
const graceMs = 100;

const headings = ':is(h1, h2, h3)[tabindex="-1"]';
const parts = 'li, article, section, dialog[open], main';

/** Opens the folded part of a form that hides a field. */
function unfold(field: Element): void {
  const folded = field.closest('details');
  if (folded) folded.open = true;
}

/**
 * On `body`, keyboards and screen readers would start again at the top. So when what has the focus disappears or is disabled,
 * such as a button that was just pressed, the closest heading or part of the page that is left gets the focus; when a form
 * is refused, its first invalid field; when it was sent and no field is invalid, what had the focus before.
 */
export function keepFocus(page: Document): void {
  /** The element with the focus and its ancestors, from the inside out. */
  let path: readonly HTMLElement[] = [];
  let submitted: HTMLFormElement | null = null;
  let wasDisabled = false;
  const canHaveFocus = (element: Element) => element.isConnected && !element.matches(':disabled, dialog:not([open]) *');
  const isLost = () => {
    const { activeElement, body } = page;
    const [last] = path;
    if (last === undefined || canHaveFocus(last) || (activeElement !== body && activeElement !== last)) return false;
    // A form that is being sent disables its fields for a moment only.
    return !last.isConnected || last.closest('[aria-busy="true"]') === null;
  };
  const restore = () => {
    if (!isLost()) return;
    const left = path.find(
      (element) => canHaveFocus(element) && (element.matches(parts) || element.querySelector(headings)),
    );
    const place = left?.querySelector<HTMLElement>(headings) ?? left;
    path = [];
    if (!place) return;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  };
  page.addEventListener('focusin', (event) => {
    wasDisabled = false;
    path = event.composedPath().filter((target) => target instanceof HTMLElement);
  });
  // Whoever presses beside the focused element has left it. Some browsers also send this event while they remove it.
  page.addEventListener('focusout', ({ target }) => {
    queueMicrotask(() => {
      if (path[0] === target && canHaveFocus(path[0]) && page.activeElement === page.body) path = [];
    });
  });
  const showInvalid = () => {
    const [first, ...others] = submitted?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [];
    if (!first) return;
    submitted = null;
    for (const field of [first, ...others]) unfold(field);
    first.focus();
  };
  page.addEventListener('submit', ({ target }) => {
    submitted = target as HTMLFormElement;
    // Fields that stay invalid do not change.
    queueMicrotask(showInvalid);
  });
  page.addEventListener('input', () => {
    submitted = null;
  });
  new MutationObserver(() => {
    showInvalid();
    const [last] = path;
    if (last?.isConnected && last.matches(':disabled')) wasDisabled = true;
    else if (wasDisabled) {
      wasDisabled = false;
      if (page.activeElement === page.body) last?.focus({ preventScroll: true });
    }
    if (isLost()) setTimeout(restore, graceMs);
  }).observe(page, { childList: true, subtree: true, attributeFilter: ['disabled', 'open', 'aria-invalid'] });
}

import { createElement } from 'react';
import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

const controls = 'a, button, form, input, select, summary, textarea, [tabindex]';

/**
 * What people use in the island, by keys that are the same in the published and in React’s HTML: ballot, kind, value, and
 * place among those of the same ballot, kind, and value.
 */
function controlsIn(island: HTMLElement): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  const places = new Map<string, number>();
  for (const control of island.querySelectorAll<HTMLElement>(controls)) {
    const ballot = control.closest<HTMLElement>('[data-ballot]')?.dataset.ballot ?? '';
    const kind = `${ballot} ${control.localName} ${isChecked(control) === null ? '' : (control as HTMLInputElement).value}`;
    const place = places.get(kind) ?? 0;
    places.set(kind, place + 1);
    found.set(`${kind} ${place}`, control);
  }
  return found;
}

/** Whether a radio button or checkbox is checked; null for others. */
const isChecked = (control: Element) =>
  control instanceof HTMLInputElement && /radio|checkbox/.test(control.type) ? control.checked : null;

/** Whether somebody, or the browser, has typed or chosen something in a control. */
function isChanged(control: HTMLElement): boolean {
  if (control instanceof HTMLInputElement && isChecked(control) !== null)
    return control.checked !== control.defaultChecked;
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
    return control.value !== control.defaultValue;
  if (!(control instanceof HTMLSelectElement)) return false;
  const published = [...control.options].findIndex((option) => option.hasAttribute('selected'));
  return control.selectedIndex !== Math.max(0, published);
}

/** Types or chooses in React’s control what was typed or chosen in the published one. */
function enter(control: HTMLElement, published: HTMLElement): void {
  const checked = isChecked(published);
  if (checked !== null) {
    if (isChecked(control) !== checked) control.click();
    return;
  }
  const { value } = published as HTMLInputElement;
  // React hides changes of the property that are its own.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

/**
 * Astro’s renderer in the browser: replaces the published HTML of an island by React’s in one task, rather than hydrating it,
 * because plain scripts and translators have changed it by then. What was typed or chosen, the focus, and open details are kept, and
 * what was pressed (hydrate.ts) is pressed again.
 */
export default function renderer(island: HTMLElement) {
  return (component: ComponentType<object>, props: object): void => {
    if (!island.hasAttribute('ssr')) return;
    const before = controlsIn(island);
    const keyOf = (control: Element | null) => [...before].find(([, other]) => other === control)?.[0];
    const hadFocus = island.contains(document.activeElement);
    const focused = keyOf(document.activeElement);
    const pressed = keyOf(island.querySelector('[data-pressed]'));
    const changed = [...before].filter(([, control]) => isChanged(control));
    const details = [...island.querySelectorAll('details')].map(({ open }) => open);

    const root = createRoot(island, { identifierPrefix: island.getAttribute('prefix') ?? '' });
    island.addEventListener('astro:unmount', () => root.unmount(), { once: true });
    // Published HTML between the tags of the island stays as it is.
    const slot = island.querySelector('astro-slot');
    const keep = (place: Element | null) => place?.append(...slot!.childNodes);
    const children = slot ? [createElement('astro-slot', { ref: keep })] : [];
    flushSync(() => root.render(createElement(component, props, ...children)));

    const after = controlsIn(island);
    for (const [place, one] of island.querySelectorAll('details').entries()) one.open = details[place] ?? false;
    for (const [key, published] of changed) {
      const control = after.get(key);
      if (control) enter(control, published);
    }
    if (hadFocus) (after.get(focused ?? '') ?? document.getElementById('main'))?.focus({ preventScroll: true });
    // React has rendered what was chosen after the current task.
    setTimeout(() => {
      const control = after.get(pressed ?? '');
      if (control instanceof HTMLFormElement) control.requestSubmit();
      else if (!(control instanceof HTMLSelectElement)) control?.click();
    });
  };
}

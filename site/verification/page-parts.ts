/** The element with this `data-part`, of the given kind; throws if there is none. */
export function partOf<T extends HTMLElement>(
  kind: abstract new () => T,
  name: string,
  within: ParentNode = document,
): T {
  const element = within.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof kind)) throw new Error(`The page has no part ${name}.`);
  return element;
}

/** The element with this `data-part`; throws if there is none. */
export const part = (name: string, within: ParentNode = document): HTMLElement => partOf(HTMLElement, name, within);

/** Shows an element with a text, or hides it for null. */
export function show(element: HTMLElement, text: string | null): void {
  element.hidden = text === null;
  element.textContent = text ?? '';
}

/** A copy of the content of a `<template>` with this `data-part`: its first element. */
export function copyOf(template: string): HTMLElement {
  return partOf(HTMLTemplateElement, template).content.firstElementChild!.cloneNode(true) as HTMLElement;
}

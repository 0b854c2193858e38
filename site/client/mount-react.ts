import { createElement } from 'react';
import type { Attributes, ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/**
 * Replaces pre-rendered HTML with a React component that has the props in its `data-props`. In one task: no event and no
 * paint comes between.
 */
export function mountReact<P extends object>(root: HTMLElement, component: ComponentType<P>): void {
  const { app, props = '' } = root.dataset;
  const element = createElement(component, JSON.parse(props) as P & Attributes);
  flushSync(() => createRoot(root, { identifierPrefix: `${app}-` }).render(element));
}

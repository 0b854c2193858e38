import { useSyncExternalStore } from 'react';

export const authTabs = ['login', 'register'] as const;
export type AuthTab = (typeof authTabs)[number];

function listen(follow: () => void): () => void {
  addEventListener('hashchange', follow);
  return () => removeEventListener('hashchange', follow);
}

const current = (): AuthTab => (location.hash === '#register' ? 'register' : 'login');
const published = (): AuthTab => 'login';

function show(tab: AuthTab): void {
  history.replaceState(history.state, '', `#${tab}`);
  dispatchEvent(new Event('hashchange'));
}

/** The tab that is shown, login unless the address ends in #register, and how another one is. */
export function useAuthTab(): readonly [AuthTab, (tab: AuthTab) => void] {
  return [useSyncExternalStore(listen, current, published), show];
}

import { useSyncExternalStore } from 'react';

const subscribeToHash = (notify: () => void) => {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
};

/** What stands behind the URL’s `#name=`, such as a secret, which the server never sees; null without it. */
export function useSecretInUrl(name: string): string | null {
  return useSyncExternalStore(
    subscribeToHash,
    () => new URLSearchParams(location.hash.slice(1)).get(name),
    () => null,
  );
}

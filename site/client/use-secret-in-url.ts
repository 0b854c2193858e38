import { useSyncExternalStore } from 'react';

const subscribeToHash = (notify: () => void) => {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
};

/** The secret behind the URL’s `#name=`, which the server never sees; null without one. */
export function useSecretInUrl(name: string): string | null {
  return useSyncExternalStore(
    subscribeToHash,
    () => new URLSearchParams(location.hash.slice(1)).get(name),
    () => null,
  );
}

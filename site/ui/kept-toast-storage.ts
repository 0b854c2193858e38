const key = 'weathervane-toast';

/** What the page before has kept as a notification, as JSON; null for nothing, and where storage is blocked. */
export function readKeptToast(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a notification, as JSON, for this tab's next page; null forgets it. */
export function saveKeptToast(json: string | null): void {
  try {
    if (json === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, json);
  } catch {
    // Without storage the next page simply says nothing.
  }
}

const key = 'weathervane-toast';

/** The notification stored by the previous page, as JSON; null if there is none or storage is blocked. */
export function readStoredToast(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a notification, as JSON, for this tab's next page; null deletes it. */
export function saveStoredToast(json: string | null): void {
  try {
    if (json === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, json);
  } catch {
    // Without storage the next page shows no notification.
  }
}

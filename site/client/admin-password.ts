const storageKey = 'adminPassword';

/** The operator’s password as this tab has it; null without one, or where storage is blocked. */
export function storedAdminPassword(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** Stores the password for this tab’s session; null deletes it. Where storage is blocked, it lasts until the operator leaves the page. */
export function storeAdminPassword(password: string | null): void {
  try {
    if (password === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, password);
  } catch {
    // As said above.
  }
}

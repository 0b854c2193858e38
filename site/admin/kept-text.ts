import { adminUser } from './admin-session.ts';

/** Where storage is full or blocked, what is typed lasts as long as the page. */
const inMemory = new Map<string, string>();

const keyAt = (owned: string) => `weathervane-admin-${owned}`;

/** A text that was typed in this tab and could not be saved. */
export interface KeptText {
  /** Deletes it. */
  drop(): void;
  keep(value: unknown): void;
  /** Null if there is none. */
  read(): unknown;
}

/** The unsaved text with a name, of who uses the admin pages now, also after the session has ended. */
export function keptText(name: string): KeptText {
  // Another operator who signs in in the same tab must not see it.
  const owned = `${adminUser.get()?.name}-${name}`;
  return {
    drop() {
      inMemory.delete(owned);
      try {
        sessionStorage.removeItem(keyAt(owned));
      } catch {
        // Blocked storage has nothing to remove.
      }
    },
    keep(value) {
      const text = JSON.stringify(value);
      try {
        sessionStorage.setItem(keyAt(owned), text);
        inMemory.delete(owned);
      } catch {
        inMemory.set(owned, text);
      }
    },
    read() {
      try {
        return JSON.parse(inMemory.get(owned) ?? sessionStorage.getItem(keyAt(owned)) ?? 'null') as unknown;
      } catch {
        // Storage is blocked, or the value is invalid.
        return null;
      }
    },
  };
}

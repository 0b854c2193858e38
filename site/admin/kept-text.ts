import { deskUser } from './admin-session.ts';

/** Where storage is full or blocked, what is typed lasts as long as the page. */
const inMemory = new Map<string, string>();

/** A text that was typed in this tab and could not be saved. */
export interface KeptText {
  /** Deletes it. */
  drop(): void;
  keep(value: unknown): void;
  /** Null if there is none. */
  read(): unknown;
}

/** The unsaved text with a name, of who uses the desk now, also after the session has ended. */
export function keptText(name: string): KeptText {
  // Another operator who signs in in the same tab must not see it.
  const key = `weathervane-desk-${deskUser.get()?.name}-${name}`;
  return {
    drop() {
      inMemory.delete(key);
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Blocked storage has nothing to remove.
      }
    },
    keep(value) {
      const text = JSON.stringify(value);
      try {
        sessionStorage.setItem(key, text);
        inMemory.delete(key);
      } catch {
        inMemory.set(key, text);
      }
    },
    read() {
      try {
        return JSON.parse(inMemory.get(key) ?? sessionStorage.getItem(key) ?? 'null') as unknown;
      } catch {
        // Storage is blocked, or the value is invalid.
        return null;
      }
    },
  };
}

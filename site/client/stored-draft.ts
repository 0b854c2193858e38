/** Where storage is full or blocked, what is typed lasts as long as the page. */
const inMemory = new Map<string, string>();

/** What was typed in this tab and is not sent yet. */
export interface StoredDraft {
  drop(): void;
  /** False if it lasts as long as the page only. */
  keep(value: unknown): boolean;
  /** Null if there is none. */
  read(): unknown;
}

/** The draft with a name, which says whose it is: another member who signs in in the same tab must not see it. */
export function storedDraft(name: string): StoredDraft {
  const key = `weathervane-draft-${name}`;
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
        return true;
      } catch {
        inMemory.set(key, text);
        return false;
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

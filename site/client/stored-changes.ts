/** Changes of a value in local storage, in this tab and others. */
export function storedChanges(storageKey: string) {
  const inThisTab = new EventTarget();
  return {
    /** Reports a change that this tab has made. */
    report: () => void inThisTab.dispatchEvent(new Event('change')),
    /** Calls `onChange` on changes; returns a function that stops it. */
    watch: (onChange: () => void): (() => void) => {
      const inOtherTab = ({ key }: StorageEvent) => {
        if (key === storageKey || key === null) onChange();
      };
      inThisTab.addEventListener('change', onChange);
      addEventListener('storage', inOtherTab);
      return () => {
        inThisTab.removeEventListener('change', onChange);
        removeEventListener('storage', inOtherTab);
      };
    },
  };
}

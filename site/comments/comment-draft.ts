/** What somebody is writing, kept for the tab, so that signing in or a closed page loses nothing. */
const keyOf = (pollId: string) => `weathervane-comment-${pollId}`;

/** The draft for one poll; empty without one, and where storage is blocked. */
export function readDraft(pollId: string): string {
  try {
    return sessionStorage.getItem(keyOf(pollId)) ?? '';
  } catch {
    return '';
  }
}

export function saveDraft(pollId: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(pollId));
    else sessionStorage.setItem(keyOf(pollId), text);
  } catch {
    // Full or blocked storage: the draft lives as long as the page.
  }
}

/** Where the page of a community poll is. */
export const pagePathOf = (pollId: string) => `/community-polls/${pollId}`;

/** The id of a community poll in what somebody typed: its address, a path, or the id alone; null for anything else. */
export function pollIdIn(typed: string): string | null {
  const found = /^(?:\S*\/community-polls\/)?([\w-]{1,80})\/?(?:[?#]\S*)?$/.exec(typed.trim());
  return found?.[1] ?? null;
}

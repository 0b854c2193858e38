/** The id of a poll in a typed address, path, or bare id; null for anything else. `folder`: of addresses of its kind, or of both. */
export function pollIdIn(
  typed: string,
  folder: 'poll' | 'community-polls' | 'poll|community-polls' = 'poll',
): string | null {
  const address = new RegExp(String.raw`^(?:\S*/(?:${folder})/)?([\w-]{1,80})/?(?:[?#]\S*)?$`);
  return address.exec(typed.trim())?.[1] ?? null;
}

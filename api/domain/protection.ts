import { protections } from '#contract/vocabulary.ts';
import type { Protection, Visibility } from '#contract/vocabulary.ts';

/** The place of a level in their order, as ballots store it: a vote is recorded if it meets at least its ballot’s. */
export const rankOf = (level: Protection): number => protections.indexOf(level);

/** The level with this rank. */
export const protectionOf = (rank: number): Protection => protections[rank] ?? 'browser';

/** What a site can do: send mail, and check browsers, which needs https. */
export interface ProtectionMeans {
  readonly mail: boolean;
  readonly checks: boolean;
}

/** Whether browsers treat pages of this address as secure; others have no WebCrypto, and can’t solve a check. */
export function isSecureContext(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** What a site with this configuration can do. */
export const meansOf = ({ publicUrl, smtpUrl }: { readonly publicUrl: string; readonly smtpUrl: string | null }) => ({
  mail: smtpUrl !== null,
  checks: isSecureContext(publicUrl),
});

/**
 * The levels that can be chosen for a poll, in their order. Private polls have one, because only members who are invited can
 * open them; a level that the site can’t check is left out.
 */
export function offeredProtections({ mail, checks }: ProtectionMeans, visibility?: Visibility): readonly Protection[] {
  if (visibility === 'private') return ['invited'];
  return protections.filter(
    (level) => level !== 'invited' && (level !== 'email' || mail) && (level !== 'check' || checks),
  );
}

/** The level to raise a poll to next; null at the highest one. */
export function nextProtection(current: Protection, offered: readonly Protection[]): Protection | null {
  return offered.find((level) => rankOf(level) > rankOf(current)) ?? null;
}

/**
 * Whether a poll with this level may get another one: a lower one only without votes, which were cast under a promise, and
 * nothing once it is closed.
 */
export function mayChangeProtection(
  before: Protection,
  after: Protection,
  { hasVotes, closed }: { readonly hasVotes: boolean; readonly closed: boolean },
): boolean {
  return before === after || (!closed && (!hasVotes || rankOf(after) > rankOf(before)));
}

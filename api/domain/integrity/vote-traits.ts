import { circumstanceNames } from '#contract/vocabulary.ts';
import type { Circumstance } from '#contract/vocabulary.ts';

/** The age of an account when it voted, as the lowest two bits of the traits of a vote. */
export const accountAges = { none: 0, underOneDay: 1, underSevenDays: 2, sevenDays: 3 } as const;
export const accountAgeMask = 0b11;
/**
 * The request brought a valid voter cookie. Cookies can be collected, so the detector goes by those alone that are older than
 * the poll and have voted on other polls; see `recent-marks.service.ts`.
 */
export const cookieTrait = 1 << 2;
/** The voter solved a challenge. */
export const challengeTrait = 1 << 3;
/** The account is established; never stored, because only the detector looks that up: see `recent-marks.service.ts`. */
export const establishedTrait = 1 << 4;
/**
 * Circumstances of votes that count like others and are reported apart: their bit, and the column that counts them by option.
 * The detector uses none of them.
 */
export const circumstances = {
  /** The browser had looked at the results without voting. */
  afterResults: { trait: 1 << 5, column: 'votes_after_results' },
  /** The poll varies the order of its options, and this browser showed the published one. */
  publishedOrder: { trait: 1 << 6, column: 'votes_in_published_order' },
  /** Cast in an embed on another site. */
  embedded: { trait: 1 << 7, column: 'votes_embedded' },
  /** Cast in a room, with the code that its screen showed. */
  onScreen: { trait: 1 << 8, column: 'votes_on_screen' },
} as const satisfies Record<Circumstance, { readonly trait: number; readonly column: string }>;
export type CircumstanceColumn = (typeof circumstances)[Circumstance]['column'];
/** A value for the column of each circumstance. */
export const byCircumstance = <Value>(
  valueOf: (one: (typeof circumstances)[Circumstance]) => Value,
): Record<CircumstanceColumn, Value> =>
  Object.fromEntries(
    circumstanceNames.map((name) => [circumstances[name].column, valueOf(circumstances[name])]),
  ) as Record<CircumstanceColumn, Value>;

const dayMs = 86_400_000;

/** What is kept about a vote besides its network, as a set of bits; `accountSince` in milliseconds, null without an account. */
export function voteTraits(
  vote: {
    readonly accountSince: number | null;
    readonly hadCookie: boolean;
    readonly solvedChallenge?: boolean;
    /** Bits of {@link circumstances}. */
    readonly circumstances: number;
  },
  now: number,
): number {
  // A hidden frame can take votes of people who never saw it, and codes can be passed on: such votes are never established.
  const isUntrusted = (vote.circumstances & (circumstances.embedded.trait | circumstances.onScreen.trait)) !== 0;
  return (
    (isUntrusted ? 0 : accountAge(vote.accountSince, now) | (vote.hadCookie ? cookieTrait : 0)) |
    (vote.solvedChallenge === true ? challengeTrait : 0) |
    vote.circumstances
  );
}

function accountAge(since: number | null, now: number): number {
  if (since === null) return accountAges.none;
  if (now - since < dayMs) return accountAges.underOneDay;
  return now - since < 7 * dayMs ? accountAges.underSevenDays : accountAges.sevenDays;
}

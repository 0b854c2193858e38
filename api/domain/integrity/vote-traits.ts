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
/** The browser had looked at the results without voting; the detector doesn’t use it. */
export const afterResultsTrait = 1 << 5;

const dayMs = 86_400_000;

/** What is kept about a vote besides its network, as a set of bits; `accountSince` in milliseconds, null without an account. */
export function voteTraits(
  vote: {
    readonly accountSince: number | null;
    readonly hadCookie: boolean;
    readonly solvedChallenge?: boolean;
    readonly sawResults: boolean;
  },
  now: number,
): number {
  return (
    accountAge(vote.accountSince, now) |
    (vote.hadCookie ? cookieTrait : 0) |
    (vote.solvedChallenge === true ? challengeTrait : 0) |
    (vote.sawResults ? afterResultsTrait : 0)
  );
}

function accountAge(since: number | null, now: number): number {
  if (since === null) return accountAges.none;
  if (now - since < dayMs) return accountAges.underOneDay;
  return now - since < 7 * dayMs ? accountAges.underSevenDays : accountAges.sevenDays;
}

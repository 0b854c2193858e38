/** Why votes can be set aside. Free text could name people, and published reasons can't be removed. */
export const reasons = {
  'automated-network': 'automated voting from one network',
  'automated-networks': 'automated voting from several networks',
  'new-accounts': 'votes from accounts created for it',
  'unusual-rate': 'an unusual burst of identical votes',
  'unchecked-browser': 'browsers that couldn’t be checked',
  'operator-test': 'votes cast for testing',
  'written-answer': 'a written answer that isn’t approved',
} as const;

export type Reason = keyof typeof reasons;

/** Of votes for an answer that voters wrote: the review of the answer decides about them, so nobody else gives this reason. */
export const writtenReason = 'written-answer' satisfies Reason;
export type GivenReason = Exclude<Reason, typeof writtenReason>;

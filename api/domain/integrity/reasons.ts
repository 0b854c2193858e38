/** Why votes can be set aside. Free text could name people, and published reasons can't be removed. */
export const reasons = {
  'automated-network': 'automated voting from one network',
  'automated-networks': 'automated voting from several networks',
  'new-accounts': 'votes from accounts created for it',
  'unusual-rate': 'an unusual burst of identical votes',
  'unchecked-browser': 'browsers that couldn’t be checked',
  'operator-test': 'votes cast for testing',
  'written-answer': 'written answers',
} as const;

export type Reason = keyof typeof reasons;

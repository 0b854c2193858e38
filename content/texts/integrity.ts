import type { InterventionReason } from '#contract/vote-figures.ts';

/** The page about what is counted. */
export const integrityPath = '/integrity';

/** Votes received and counted, wherever a result is shown. Browsers load only this constant. */
export const voteFigureTexts = {
  received: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'vote' : 'votes'} received`,
  counted: (formatted: string) => `${formatted} counted`,
  setAside: (formatted: string, reasons: string) => `${formatted} set aside${reasons}`,
  held: (formatted: string, reasons: string) => `${formatted} held for a decision${reasons}`,
  /** Follows the number of votes that are not counted. */
  because: (reasons: readonly string[]) => ` (${reasons.join('; ')})`,
  reasons: {
    'automated-network': 'automated voting from one network',
    'automated-networks': 'automated voting from several networks',
    'new-accounts': 'votes from accounts created for it',
    'unusual-rate': 'an unusual burst of identical votes',
    'operator-test': 'votes cast for testing',
  } satisfies Record<InterventionReason, string>,
  /** Link to the page that explains it. */
  why: 'What this means',
} as const;

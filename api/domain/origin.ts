/** Where the answers of a poll come from. */
export const origins = ['here', 'imported', 'both', 'demo'] as const;
export type Origin = (typeof origins)[number];

/** What the origin of a poll’s answers follows from. */
interface Counted {
  /** Votes that came with an import. */
  readonly baseVotes: number;
  /** Votes received in all, counted or not. */
  readonly receivedVotes: number;
  /** Whether the poll is part of the demo data, whose counts are invented. */
  readonly isDemo: boolean;
}

/** Where the answers come from: cast here, imported, both, or invented for the demo. A poll without votes is voted on here. */
export function originOf({ baseVotes, receivedVotes, isDemo }: Counted): Origin {
  if (isDemo) return 'demo';
  if (baseVotes === 0) return 'here';
  return receivedVotes > baseVotes ? 'both' : 'imported';
}

/** The origin as polls state it: omitted where all answers were cast here. */
export interface Originated {
  readonly origin?: Exclude<Origin, 'here'> | undefined;
}

/** Whether people who chose to vote here gave at least some of the answers, so that its rules and its license apply to them. */
export const isVotedHere = ({ origin }: Originated): boolean => origin !== 'imported';

/** Whether the votes can be counted again from what this site published: only those that were cast here. */
export const isRecountable = ({ origin }: Originated): boolean => origin === undefined || origin === 'both';

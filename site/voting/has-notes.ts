import type { LedPoll } from '#domain/figure-sentences.ts';
import type { BallotData } from './ballot.ts';

/** Whether `BallotNotes` has something to say about a poll. */
export const hasNotes = ({
  protection = 'browser',
  interventions = [],
  independent,
  otherLeader,
}: Pick<BallotData, 'protection'> & Partial<LedPoll>): boolean =>
  protection !== 'browser' || interventions.length > 0 || independent !== undefined || otherLeader !== undefined;

import type { Chosen } from './choices.model.ts';
import type { Tally } from './vote-batch.ts';

/** A vote that was recorded: its options, its nonce in hexadecimal digits, and its receipt with the server’s part, 16 bytes each. */
export interface RecordedVote extends Chosen {
  readonly nonce: string;
  readonly part: Buffer;
  readonly receipt: Buffer;
}

/** The promise to a voter as JSON; null if there is none. */
export type PromiseText = () => string | null;

/** Promises to the voters of one committed batch. */
export interface BatchPromises {
  /** All votes are added before the first promise is asked for: they are signed together. */
  add(ballotId: string, vote: RecordedVote): PromiseText;
}

/** What is known of a ballot after a commit. */
export type PromisedBallot = Pick<Tally, 'ballotId' | 'secret' | 'log'>;

/** Promises voters that their votes will be in the log. */
export interface Promises {
  /** Begins a batch of votes on these ballots. */
  begin(ballots: Iterable<PromisedBallot>): Promise<BatchPromises>;
}

export const noPromise: PromiseText = () => null;

import type { VoterMarks } from './voting.service.ts';

/** What the votes of one ballot are checked and counted against; moments in milliseconds. */
export interface Tally {
  readonly ballotId: string;
  readonly kind: string;
  readonly isActive: boolean;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt: number | null;
  readonly totalVotes: number;
  /** When the poll's texts were changed last; null for a ballot that is not a weekly poll. */
  readonly textsUpdatedAt: number | null;
  readonly options: readonly TalliedOption[];
}

/** An option in the order of its ballot, with its votes. */
export interface TalliedOption {
  readonly id: string;
  readonly votes: number;
  readonly offered: boolean;
}

/** One vote on its way in. */
export interface Vote {
  readonly ballotId: string;
  readonly kind: 'poll' | 'community';
  readonly optionId: string;
  readonly voter: VoterMarks;
}

/** A vote that a batch did not record, and the vote that stood in its way if there is one. */
export interface Refusal {
  /** Place of the vote in its batch. */
  readonly place: number;
  readonly earlier: EarlierVote | null;
}

export interface EarlierVote {
  readonly optionId: string;
  readonly fingerprint: string;
  readonly cookie: string | null;
  readonly createdAt: number;
}

/** What became of a batch, as of its commit. */
export interface BatchResult {
  /** The touched ballots that exist, by id. */
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly refusals: readonly Refusal[];
}

/** Writes batches of votes, each in one transaction that is durable when the promise resolves. */
export interface BatchWriter {
  record(batch: readonly Vote[], now: number): Promise<BatchResult>;
  /** Commits a change that changes nothing; rejects when nothing can be written. */
  testWrite(): Promise<void>;
  close(): Promise<void>;
}

/** Writes this process's row of the headline counters as it is: what every batch writes, too. */
export function unchangedRow(shard: number): string {
  return `update statistics set total_votes = total_votes where shard = ${shard}`;
}

/** The votes as both engines' statements read them: JSON arrays in this order of members. */
export function batchJson(batch: readonly Vote[]): string {
  return JSON.stringify(
    batch.map(({ ballotId, optionId, kind, voter }) => [
      ballotId,
      optionId,
      kind,
      voter.fingerprint,
      voter.cookie,
      voter.userId,
    ]),
  );
}

type TallyJson = [
  id: string,
  kind: string,
  isActive: boolean | 0 | 1,
  startsAt: number,
  endsAt: number | null,
  closedAt: number | null,
  totalVotes: number,
  textsUpdatedAt: number | null,
  options: [id: string, votes: number, offered: boolean | 0 | 1][],
];
type RefusalJson = [
  place: number,
  optionId: string | null,
  fingerprint: string | null,
  cookie: string | null,
  createdAt: number | null,
];

/** Reads the two JSON texts that both engines' statements answer. */
export function batchResult(tallies: string, refusals: string): BatchResult {
  return {
    tallies: new Map((JSON.parse(tallies) as TallyJson[]).map((json) => [json[0], tallyOf(json)])),
    refusals: (JSON.parse(refusals) as RefusalJson[]).map(([place, optionId, fingerprint, cookie, createdAt]) => ({
      place,
      earlier:
        optionId === null || fingerprint === null || createdAt === null
          ? null
          : { optionId, fingerprint, cookie, createdAt },
    })),
  };
}

function tallyOf(json: TallyJson): Tally {
  const [ballotId, kind, isActive, startsAt, endsAt, closedAt, totalVotes, textsUpdatedAt, options] = json;
  return {
    ballotId,
    kind,
    isActive: Boolean(isActive),
    startsAt,
    endsAt,
    closedAt,
    totalVotes,
    textsUpdatedAt,
    options: options.map(([id, votes, offered]) => ({ id, votes, offered: Boolean(offered) })),
  };
}

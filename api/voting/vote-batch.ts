import { recordedVoteLimits } from '#platform/vote-counter.ts';
import type { VoteCounter } from '#platform/vote-counter.ts';
import type { VoterMarks } from './voting.service.ts';

export { addVotesSql, unchangedTotalsSql } from '#api/statistics/statistics.service.ts';

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
  /** What the vote is counted against when it is recorded; it is not when one of these has no room. */
  readonly counters?: readonly VoteCounter[];
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
  /** How much of each counter is used up, by key. */
  readonly used: ReadonlyMap<string, number>;
}

/** Writes batches of votes, each in one transaction that is durable when the promise resolves. */
export interface BatchWriter {
  /** `rejections` are counted as they are, one each. */
  record(batch: readonly Vote[], now: number, rejections: readonly VoteCounter[]): Promise<BatchResult>;
  /** Commits a change that changes nothing; rejects when nothing can be written. */
  testWrite(): Promise<void>;
  close(): Promise<void>;
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

/**
 * The counters of a batch as both engines' statements read them: what is added to each, by key in one order for all
 * processes, and which votes are counted against which when they are recorded.
 */
export function countersJson(
  batch: readonly Vote[],
  rejections: readonly VoteCounter[],
): { counters: string; marks: string } {
  const counters = new Map<string, [key: string, add: number, resetsAt: number]>();
  const marks: [place: number, level: number, key: string, points: number][] = [];
  const counterOf = ({ key, resetsAt }: VoteCounter) => {
    const known = counters.get(key) ?? [key, 0, resetsAt];
    counters.set(key, known);
    return known;
  };
  for (const rejection of rejections) counterOf(rejection)[1] += 1;
  for (const [place, vote] of batch.entries())
    for (const counter of vote.counters ?? []) {
      counterOf(counter);
      marks.push([place, levels.get(counter.limit) ?? 0, counter.key, counter.points]);
    }
  const sorted = [...counters.values()].sort(([a], [b]) => (a < b ? -1 : 1));
  return { counters: JSON.stringify(sorted), marks: JSON.stringify(marks) };
}

const levels = new Map<string, number>(recordedVoteLimits.map((limit, level) => [limit, level]));

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

/** What both engines' statements answer. */
export interface BatchTexts {
  readonly tallies: string;
  readonly refusals: string;
  readonly used: string;
}

/** Reads the JSON texts that both engines' statements answer. */
export function batchResult({ tallies, refusals, used }: BatchTexts): BatchResult {
  return {
    tallies: new Map((JSON.parse(tallies) as TallyJson[]).map((json) => [json[0], tallyOf(json)])),
    refusals: (JSON.parse(refusals) as RefusalJson[]).map(([place, optionId, fingerprint, cookie, createdAt]) => ({
      place,
      earlier:
        optionId === null || fingerprint === null || createdAt === null
          ? null
          : { optionId, fingerprint, cookie, createdAt },
    })),
    used: new Map(JSON.parse(used) as [key: string, used: number][]),
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

import { circumstanceNames } from '#contract/vocabulary.ts';
import type { Circumstance } from '#contract/vocabulary.ts';
import { circumstances } from '#domain/integrity/vote-traits.ts';
import { databaseFailure, isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { withQueryTimeout } from '#platform/query-timeout.ts';
import type { BallotChoice, Chosen } from './choices.model.ts';
import type { IdentifiedVoter } from './voter.ts';

/** The namespace of PostgreSQL’s advisory locks on ballots: an arbitrary number that nothing else uses. */
export const ballotLocks = 1_521;

/** In that namespace, what every batch on PostgreSQL shares; ballots have keys above it. */
export const allBallotsLock = 0;

/** How often a batch that met another writer or lost its connection is tried. */
export const voteAttempts = 6;

/** Milliseconds after which the connection that votes go over is cut when PostgreSQL does not answer. */
const voteSilenceMs = 5_000;

/**
 * The limits that recorded votes are counted against, in the order in which they are checked: a vote that its own
 * address's limit refuses uses up nothing of its subnet's. Those of one place are never limits of the same vote.
 */
export const recordedVoteLimits = [
  ['vote', 'votesWithCode'],
  ['pollVotes', 'votesInRooms'],
  ['pollVotesNearby'],
] as const;

/** A counter in the database of one limit in one window, shared by all processes (handbook decision 121). */
export interface VoteCounter {
  readonly limit: (typeof recordedVoteLimits)[number][number] | 'rejectedVotes';
  /** Keyed digest of the limit, its subject, and its window. */
  readonly key: string;
  readonly points: number;
  /** When the window ends, in milliseconds. */
  readonly resetsAt: number;
}

/** What the votes of one ballot are checked and counted against; moments in milliseconds. */
export interface Tally {
  readonly ballotId: string;
  readonly kind: string;
  readonly isActive: boolean;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt: number | null;
  readonly totalVotes: number;
  /** The rank of its protection. */
  readonly protection: number;
  /** What receipts are derived from, in base64; null before the first vote, and from 30 days after the end. */
  readonly secret: string | null;
  /** Its log, and how many results that has; null while it has none. */
  readonly log: { readonly key: number; readonly results: number } | null;
  /** When the poll's texts were changed last; null for a ballot that is not a weekly poll. */
  readonly textsUpdatedAt: number | null;
  readonly choice: BallotChoice;
  readonly options: readonly TalliedOption[];
}

/** An option in the order of its ballot, with its votes. */
interface TalliedOption {
  readonly id: string;
  readonly votes: number;
  readonly offered: boolean;
}

/** One vote to record. */
export interface Vote extends Chosen {
  readonly ballotId: string;
  readonly kind: 'poll' | 'community';
  readonly voter: IdentifiedVoter;
  /** What the browser contributes to the receipt, 32 hexadecimal digits. */
  readonly nonce?: string | null;
  /** The digest of its network; see `network-digests.ts`. */
  readonly network?: number | null;
  /** See `domain/integrity/vote-traits.ts`. */
  readonly traits?: number;
  /** The rank of the protection that it meets; 0 by default. */
  readonly protection?: number;
  /** The limits the vote counts against; it is refused when one of them is used up. */
  readonly counters?: readonly VoteCounter[];
}

/** A vote that a batch did not record, and the earlier vote that prevented it, if any. */
export interface Refusal {
  /** Index of the vote in its batch. */
  readonly place: number;
  readonly earlier: EarlierVote | null;
}

export interface EarlierVote extends Chosen {
  readonly device: string;
  readonly cookie: string | null;
  readonly nonce: string | null;
  /** As stored, to the minute. */
  readonly createdAt: number;
  /** Recorded since there are receipts, and not erased yet. */
  readonly hasReceipt: boolean;
}

/** Votes are stored with the minute: what needs finer times, as whether a poll is open, is decided when a vote arrives. */
const storedMs = 60_000;
export const storedTime = (moment: number) => moment - (moment % storedMs);
/** The same of a column or parameter, on both engines. */
export const storedTimeSql = (moment: string) => `${moment} - ${moment} % ${storedMs}`;

/** The result of a batch, as of its commit. */
export interface BatchResult {
  /** The touched ballots that exist, by id. */
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly refusals: readonly Refusal[];
  /** The headline figures as JSON. */
  readonly statistics: string;
  /** How much of each counter is used up, by key. */
  readonly used: ReadonlyMap<string, number>;
}

/** Writes batches of votes, each in one transaction that is durable when the promise resolves. */
export interface BatchWriter {
  /** Each of `rejections` adds one to its counter. */
  record(batch: readonly Vote[], now: number, rejections: readonly VoteCounter[]): Promise<BatchResult>;
  /** Commits an update that changes no value; rejects when nothing can be written. */
  testWrite(): Promise<void>;
  close(): Promise<void>;
}

/** The votes as both engines' statements read them: JSON arrays in this order of members. */
export function batchJson(batch: readonly Vote[]): string {
  return JSON.stringify(
    batch.map(
      ({ ballotId, optionId, kind, voter, network = null, traits = 0, protection = 0, nonce = null, further }) => {
        const { device, cookie, userId } = voter;
        const members: unknown[] = [
          ballotId,
          optionId,
          kind,
          device,
          cookie,
          userId,
          network,
          traits,
          protection,
          nonce,
        ];
        if (further !== undefined) members.push(further);
        return members;
      },
    ),
  );
}

/** SQL: the traits of a vote on ballot `b`, whose order must vary for the published one to be a circumstance. */
export const traitsSql = (traits: string): string =>
  `(${traits} & case when b.option_order = 'fixed' then ${~circumstances.publishedOrder.trait} else -1 end)`;

/** SQL: the list of this term for each circumstance that is counted apart. */
export const forCircumstances = (term: (one: (typeof circumstances)[Circumstance]) => string): string =>
  circumstanceNames.map((name) => term(circumstances[name])).join();

const allCircumstances = circumstanceNames.reduce((bits, name) => bits | circumstances[name].trait, 0);
export const hasCircumstances = ({ traits = 0 }: Vote): boolean => (traits & allCircumstances) !== 0;

/** The ids of the ballots of a batch, each once. */
export const ballotsOf = (batch: readonly Vote[]): string[] => [...new Set(batch.map(({ ballotId }) => ballotId))];

/**
 * The counters of a batch as both engines' statements read them: the amount to add to each, sorted by key so that all
 * processes lock in one order, and which votes count against which counter when they are recorded.
 */
export function countersJson(
  batch: readonly Vote[],
  rejections: readonly VoteCounter[],
): { counters: string; marks: string } {
  const counters = new Map<string, [key: string, add: number, resetsAt: number]>();
  const marks: [place: number, level: number, key: string, points: number][] = [];
  const counterOf = ({ key, resetsAt }: VoteCounter) => {
    const counter = counters.get(key) ?? [key, 0, resetsAt];
    counters.set(key, counter);
    return counter;
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

const levels = new Map<string, number>(
  recordedVoteLimits.flatMap((limits, level) => limits.map((limit) => [limit, level])),
);

type TallyJson = [
  id: string,
  kind: string,
  isActive: boolean | 0 | 1,
  startsAt: number,
  endsAt: number | null,
  closedAt: number | null,
  totalVotes: number,
  protection: number,
  secret: string | null,
  log: [key: number, results: number] | null,
  textsUpdatedAt: number | null,
  choice: [method: BallotChoice['method'], min: number, max: number],
  options: [id: string, votes: number, offered: boolean | 0 | 1][],
];
type RefusalJson = [
  place: number,
  optionId: string | null,
  device: string | null,
  cookie: string | null,
  nonce: string | null,
  createdAt: number | null,
  hasReceipt: boolean | 0 | 1,
  further: string[] | null,
];

/** The row that both engines' statements return: JSON texts. */
export interface BatchRow {
  readonly tallies: string;
  readonly refusals: string;
  readonly statistics: string;
  readonly used: string;
}

/** Parses the JSON texts that both engines' statements return. */
export function batchResult({ tallies, refusals, statistics, used }: BatchRow): BatchResult {
  return {
    tallies: new Map((JSON.parse(tallies) as TallyJson[]).map((json) => [json[0], tallyOf(json)])),
    refusals: (JSON.parse(refusals) as RefusalJson[]).map(
      ([place, optionId, device, cookie, nonce, createdAt, hasReceipt, further]) => ({
        place,
        earlier:
          optionId === null || device === null || createdAt === null
            ? null
            : {
                ...{ optionId, device, cookie, nonce, createdAt, hasReceipt: Boolean(hasReceipt) },
                ...(further !== null && { further }),
              },
      }),
    ),
    statistics,
    used: new Map(JSON.parse(used) as [key: string, used: number][]),
  };
}

function tallyOf(json: TallyJson): Tally {
  const [ballotId, kind, isActive, startsAt, endsAt, closedAt, totalVotes, protection, ...rest] = json;
  const [secret, log, textsUpdatedAt, [method, min, max], options] = rest;
  return {
    ballotId,
    kind,
    isActive: Boolean(isActive),
    startsAt,
    endsAt,
    closedAt,
    totalVotes,
    protection,
    secret,
    log: log && { key: log[0], results: log[1] },
    textsUpdatedAt,
    choice: { method, min, max },
    options: options.map(([id, votes, offered]) => ({ id, votes, offered: Boolean(offered) })),
  };
}

/**
 * Why a batch failed. `contention`: another writer held a lock and nothing was committed. `connection`: the connection
 * broke and the outcome is unknown, or the database's disk is full or failing, which no vote of the batch caused.
 * `content`: something in the batch cannot be written.
 */
type FailureCause = 'contention' | 'connection' | 'content';

// SQLSTATE: serialization failure, deadlock, lock not available, no room for locks, query cancelled by the time limit.
const contention = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', '40001', '40P01', '55P03', '53200', '57014']);
const sqlState = /^[0-9A-Z]{5}$/;

/** Classifies a driver's error. */
export function causeOf(error: unknown): FailureCause {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (contention.has(code)) return 'contention';
  // Classes 08 and 57P: the server ended the connection or is about to.
  if (code.startsWith('08') || code.startsWith('57P')) return 'connection';
  if (databaseFailure(error) !== null) return 'connection';
  if (code.startsWith('SQLITE_') || sqlState.test(code)) return 'content';
  return 'connection';
}

/** The part of knex's client that opens connections outside its pool; knex does not type it. */
interface RawConnections {
  acquireRawConnection(): Promise<unknown>;
  destroyRawConnection(connection: unknown): Promise<void>;
  readonly config: {
    readonly pool?: { afterCreate?(connection: unknown, done: (error: Error | null) => void): void };
  };
}

/** A connection of the driver behind knex. */
interface OwnConnection {
  readonly connection: unknown;
  readonly close: () => Promise<void>;
}

/**
 * Opens a connection outside the pool with the pool's settings, so that its queries and those of the pool do not wait for
 * each other. The caller closes it.
 */
export async function openOwnConnection(db: Database): Promise<OwnConnection> {
  const client = db.client as RawConnections;
  const connection = await client.acquireRawConnection();
  if (!isSqlite(db)) withQueryTimeout(connection, voteSilenceMs);
  const { pool } = client.config;
  await new Promise<void>((done, failed) => {
    if (pool?.afterCreate)
      pool.afterCreate(connection, (error) => {
        if (error) failed(error);
        else done();
      });
    else done();
  });
  return { connection, close: () => client.destroyRawConnection(connection) };
}

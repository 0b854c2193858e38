import type { Database } from '#platform/database.ts';
import { isSqlite, isUniqueViolation } from '#platform/database.ts';
import { causeOf, voteAttempts } from './vote-batch.ts';
import { readFurther } from './choices.model.ts';
import type { BallotModel } from './ballot.model.ts';
import type { Chosen } from './choices.model.ts';
import type { PromiseText } from './promises.service.ts';
import type { Tally } from './vote-batch.ts';
import { recordVotesSql } from './vote-events.queries.ts';
import type { IdentifiedVoter, Voter } from './voter.ts';

export type { Tally } from './vote-batch.ts';

/** Milliseconds for which the response to a vote may show the texts from before a change, and polls whose texts are cached. */
export const voteTextsMs = 10_000;
export const votePollsCached = 500;

/** SQL: whether a vote is counted, because no decision in effect has set it aside; see `decision-marks.service.ts`. */
export const isCounted = (vote = 'votes'): string =>
  `(${vote}.decision_key is null or ${vote}.decision_key in (select key from unfinished_decisions))`;

/** SQL: whether a vote doesn’t count for badges: it is set aside or held, or is being marked, so that nobody knows yet. */
export const isSetAside = (vote: string): string =>
  `(${vote}.decision_key is not null and not exists (
    select 1 from unfinished_decisions u where u.key = ${vote}.decision_key and not u.is_staged))`;

/** What distinguishes the two kinds of poll when a vote is cast. */
export interface BallotKind {
  readonly kind: 'poll' | 'community';
  /** Whether a poll that has not started looks like a missing one, even to those who voted before it was rescheduled. */
  readonly hidesUpcoming: boolean;
  /** Records the vote of somebody who writes an answer; false if that voter has voted. Throws why the answer can’t be taken. */
  recordWriteIn?(vote: WrittenVote): Promise<boolean>;
  /** Throws unless this account, or a visitor without one, may vote on the poll. */
  authorize(pollId: string, userId: string | null): Promise<void>;
  /** The poll with the counts of a commit as the voter sees it, as JSON, with `receipt`, `promise`, and headline figures as JSON if it was recorded. */
  present(
    tally: Tally,
    voter: { readonly userId: string | null; readonly userVote: string; readonly further?: Chosen['further'] },
    recorded?: { readonly receipt: string | null; readonly promise: PromiseText; readonly statistics: string },
  ): Promise<string>;
}

/** A vote with an answer that its voter wrote. */
export interface WrittenVote {
  readonly ballotId: string;
  readonly text: string;
  readonly voter: IdentifiedVoter;
  /** As of other votes. */
  readonly nonce: string;
  readonly traits: number;
  readonly network: number | null;
  /** The rank of the protection that it meets. */
  readonly protection: number;
}

/** The columns of votes that identify a voter, with the values known of this one, as the database stores them. */
function identifiersOf(db: Database, voter: Voter | null): [column: string, value: unknown][] {
  const bytes = (digest: string | null | undefined) =>
    digest != null && isSqlite(db) ? Buffer.from(digest, 'hex') : digest;
  const all = [
    ['device', bytes(voter?.device)],
    ['cookie', bytes(voter?.cookie)],
    ['user_id', voter?.userId],
  ] as [string, unknown][];
  return all.filter(([, value]) => value != null);
}

/** Which options the voter recorded on each of these ballots, by ballot id: of several, in the order of the ballot. */
export async function recordedVotes(
  db: Database,
  voter: Voter | null,
  ballotIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = identifiersOf(db, voter);
  if (known.length === 0 || ballotIds.length === 0) return new Map();
  // One query per identifier, so that each uses its own index: for a combined condition, SQLite would scan all votes of a
  // ballot. Where two identifiers voted differently, the later query wins, so they run from last to first.
  const [first, ...others] = known.toReversed().map(([column, value], place) =>
    db('ballots as ballot')
      .join('votes as vote', 'vote.ballot_key', 'ballot.key')
      .join('ballot_options as option', 'option.key', 'vote.option_key')
      .where(`vote.${column}`, value as string)
      .whereIn('ballot.id', [...ballotIds])
      .select<IdentifierVote[]>(
        ...['ballot.id', 'ballot.method', 'option.option_id', 'option.position', 'vote.further_options'],
        db.raw(`${place} as place`),
      ),
  );
  const rows = await first!.unionAll(others);
  const further = await furtherOptions(db, rows);
  return new Map(
    rows
      .sort((a, b) => a.place - b.place)
      .map((row) => {
        const options = [row, ...further(row)];
        if (row.method === 'several') options.sort((a, b) => a.position - b.position);
        return [row.id, options.map((option) => option.option_id)];
      }),
  );
}

/** The options of a ballot, but for this voter’s own, that could be chosen only after the vote of this voter. */
export async function optionsAfter(
  db: Database,
  voter: Voter | null,
  { key, options }: Pick<BallotModel, 'key' | 'options'>,
): Promise<string[]> {
  if (!options.some(({ added_after: after }) => after !== null)) return [];
  const [first, ...others] = identifiersOf(db, voter).map(([column, value]) =>
    db('votes')
      .where({ ballot_key: key, [column]: value })
      .select('id', 'option_key'),
  );
  const [vote] = first === undefined ? [] : await first.unionAll(others);
  return options.flatMap(({ option_id: id, key: option, added_after: after }) =>
    vote && after !== null && vote.id <= after && option !== vote.option_key ? [id] : [],
  );
}

interface FurtherOption {
  readonly option_id: string;
  readonly position: number;
  readonly text: string;
}

/** Reads the further options of these votes, and returns them for each. */
async function furtherOptions(db: Database, votes: readonly { readonly further_options: string | null }[]) {
  const keys = [...new Set(votes.flatMap((vote) => readFurther(vote.further_options)))];
  const options = new Map<number, FurtherOption>();
  for (let from = 0; from < keys.length; from += keysPerQuery)
    for (const { key, ...option } of await db('ballot_options')
      .whereIn('key', keys.slice(from, from + keysPerQuery))
      .select('key', 'option_id', 'position', 'text'))
      options.set(key, option);
  return (vote: { readonly further_options: string | null }): FurtherOption[] =>
    readFurther(vote.further_options).flatMap((key) => options.get(key) ?? []);
}

/** Keys that one query can name. */
const keysPerQuery = 500;

/** Subqueries with the ids of the ballots that the voter has voted on, one per known identifier. */
export function votedBallots(db: Database, voter: Voter | null) {
  return identifiersOf(db, voter).map(([column, value]) =>
    db('votes as vote')
      .join('ballots as voted', 'voted.key', 'vote.ballot_key')
      .where(`vote.${column}`, value as string)
      .select('voted.id'),
  );
}

interface IdentifierVote {
  readonly id: string;
  readonly method: string;
  readonly option_id: string;
  readonly position: number;
  readonly further_options: string | null;
  readonly place: number;
}

/** The texts of the options that a member voted for, and when: milliseconds, or only the day once the vote is erased. */
interface Choice {
  readonly texts: readonly string[];
  readonly at: number;
}

/** SQL: the text of a vote’s option, of a written answer as it was written; for the voter only. */
const ownText = 'coalesce(written.text, option.text)';

/** What a member voted for on these ballots, by ballot. */
export async function choicesOf(
  db: Database,
  userId: string,
  ballotIds: readonly string[],
): Promise<ReadonlyMap<string, Choice>> {
  if (ballotIds.length === 0) return new Map();
  const rows = await db('ballots as ballot')
    .join('votes as vote', 'vote.ballot_key', 'ballot.key')
    .join('ballot_options as option', 'option.key', 'vote.option_key')
    .leftJoin('write_ins as written', 'written.option_key', 'option.key')
    .where('vote.user_id', userId)
    .whereIn('ballot.id', [...ballotIds])
    .select<{ id: string; text: string; further_options: string | null; at: number }[]>(
      ...['ballot.id', 'vote.further_options', 'vote.created_at as at', db.raw(`${ownText} as text`)],
    );
  const further = await furtherOptions(db, rows);
  return new Map(
    rows.map(({ id, text, at, ...vote }) => [id, { at, texts: [text, ...further(vote).map((option) => option.text)] }]),
  );
}

/**
 * Assigns the votes that this device or browser cast without an account to the account, one per ballot; a ballot on
 * which the account has voted keeps that vote, and votes of other accounts are unchanged. No counter changes.
 */
export async function claimVotes(db: Database, userId: string, voter: Voter | null): Promise<void> {
  const known = identifiersOf(db, voter).filter(([column]) => column !== 'user_id');
  if (known.length === 0) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction(async (trx) => {
        let claimed = 0;
        for (const [column, value] of known)
          claimed += await trx('votes as mine')
            .where(`mine.${column}`, value as string)
            .whereNull('mine.user_id')
            .whereNotExists(
              trx('votes as own')
                .whereRaw('own.ballot_key = mine.ballot_key')
                .where('own.user_id', userId)
                .select(trx.raw('1')),
            )
            // Deleting an account locks it before it detaches its votes.
            .whereExists(trx('users').where({ id: userId }).forKeyShare().select(trx.raw('1')))
            .update({ user_id: userId });
        if (claimed > 0)
          await trx.raw(recordVotesSql(isSqlite(trx), '(select * from votes where user_id = ?)'), [userId]);
      });
      return;
    } catch (error) {
      // The account is voting on one of these ballots right now: the next attempt sees that vote.
      if (attempt === voteAttempts || !isRetryable(error)) throw error;
    }
  }
}

function isRetryable(error: unknown): boolean {
  return isUniqueViolation(error) || causeOf(error) === 'contention';
}

/** A vote as its member’s export has it; the moment in milliseconds is the start of the day once the vote is erased. */
interface MemberVote {
  readonly pollId: string;
  readonly optionId: string;
  /** Its text. */
  readonly option: string;
  /** The other options of a vote for several ones. */
  readonly further?: readonly { readonly optionId: string; readonly option: string }[];
  readonly createdAt: number;
  /** Null where they were not recorded, or are erased. */
  readonly network: number | null;
  readonly traits: number | null;
  /** What the browser contributed to the receipt: 32 hexadecimal digits. */
  readonly nonce: string | null;
}

/** SQL: the hexadecimal digits of a column of 16 bytes; null without any. */
export const digitsOf = (db: Database, column: string): string =>
  isSqlite(db) ? `iif(${column} is null, null, lower(hex(${column})))` : `replace(${column}::text, '-', '')`;

/** Every vote of an account, oldest first. */
export async function votesOf(db: Database, userId: string): Promise<MemberVote[]> {
  const rows = await db('votes as vote')
    .join('ballots as ballot', 'ballot.key', 'vote.ballot_key')
    .join('ballot_options as option', 'option.key', 'vote.option_key')
    .leftJoin('write_ins as written', 'written.option_key', 'option.key')
    .where('vote.user_id', userId)
    .orderBy(['vote.created_at', 'vote.id'])
    .select({
      ...{ pollId: 'ballot.id', optionId: 'option.option_id', option: db.raw(ownText), createdAt: 'vote.created_at' },
      ...{ network: 'vote.network', traits: 'vote.traits', nonce: db.raw(digitsOf(db, 'vote.nonce')) },
      further_options: 'vote.further_options',
    });
  const further = await furtherOptions(db, rows as { further_options: string | null }[]);
  return (rows as (MemberVote & { further_options: string | null })[]).map(({ further_options, ...vote }) => {
    const options = further({ further_options }).map(({ option_id, text }) => ({ optionId: option_id, option: text }));
    return { ...vote, ...(options.length > 0 && { further: options }) };
  });
}

/** Detaches the votes of an account that is locked and about to be deleted; they stay counted. */
export async function detachVotes(trx: Database, userId: string): Promise<void> {
  await trx('votes').where({ user_id: userId }).update({ user_id: null });
}

/** The id of the newest vote, or 0. */
export async function newestVoteId(db: Database): Promise<number> {
  // PostgreSQL has no b-tree of the ids; its sequence knows.
  const newest = isSqlite(db)
    ? db('votes').max({ id: 'id' })
    : db.from('votes_id_seq').select({ id: db.raw('case when is_called then last_value end') });
  const [row] = (await newest) as { id: number | null }[];
  return row?.id ?? 0;
}

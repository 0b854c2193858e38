import { gunzipSync } from 'node:zlib';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { reconcile } from '#api/voting/reconcile.service.ts';
import type { WrongCounter } from '#api/voting/reconcile.service.ts';
import type { BallotMethod } from '#contract/vocabulary.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { countedFurther } from '#api/voting/choices.model.ts';
import { isCounted } from '#api/voting/voting.service.ts';
import type { BallotPaper } from './integrity-log.contract.ts';
import { fromBase64 } from '#domain/verification/bytes.ts';
import { differencesFrom, totalsOnPage } from '#domain/verification/comparison.ts';
import type { Difference, Merged } from '#domain/verification/comparison.ts';
import { parseCheckpoint } from '#domain/verification/note.ts';
import { isWritten } from '#domain/verification/paper.ts';
import { recount } from '#domain/verification/recount.ts';
import type { Evidence } from '#domain/verification/recount.ts';
import { parseEntry } from '#domain/verification/site-log.ts';
import type { Clock } from '#platform/clock.ts';
import { markLogDifference } from '#api/voting/ballots.service.ts';
import { databaseFailure, readOneState } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import { lostVotes } from './batches.service.ts';
import { entriesAbout, newestBallotsFile } from './proofs.service.ts';
import { loggedDecision, readBallots } from './results.service.ts';
import { verifySignature } from './signing.ts';
import { continuesCopy } from './site-log.service.ts';
import type { LogContext } from './site-log.service.ts';
import {
  announcedKeys,
  ballotFacts,
  decisionsWithActions,
  logOfBallot,
  newestActionOf,
  newestNote,
  optionFacts,
  paperOf,
  siteLog,
  siteLogOf,
  siteOriginOf,
} from './vote-log.queries.ts';
import type { OptionFacts, PollLogRow } from './vote-log.queries.ts';

/** Reads a page of the site as a visitor does; null if it can’t be read, or isn’t there. */
export type ReadPage = (path: string) => Promise<string | null>;

export interface ComparisonContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly readPage: ReadPage;
}

/** A ballot that is compared with its log. */
interface ComparedBallot {
  readonly id: string;
  readonly key: number;
  readonly kind: string;
  readonly closed_at: number | null;
  readonly publish_ballots: boolean | 0 | 1;
  readonly method: BallotMethod;
  readonly log_difference: string | null;
}

const columns = ['id', 'key', 'kind', 'closed_at', 'publish_ballots', 'method', 'log_difference'];

/** Milliseconds that a closed poll's log and page may take until they are compared. */
const settledMs = 10 * 60_000;
/** Milliseconds to wait for a page. */
const pageTimeoutMs = 5_000;
/** Differences that are named. */
const named = 4;

const words = texts.differences;

/** Reads pages of the site at this address. */
export const pagesAt =
  (publicUrl: string): ReadPage =>
  async (path) => {
    try {
      const response = await fetch(new URL(path, publicUrl), { signal: AbortSignal.timeout(pageTimeoutMs) });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  };

/** How a poll’s votes, counters, and page differ from its log, in sentences; null if they agree. Changes nothing. */
async function compare(context: ComparisonContext, ballot: ComparedBallot): Promise<string | null> {
  const said = await differencesOf(context, ballot).catch((error: unknown) => {
    // A database that is too slow says nothing about the log.
    if (databaseFailure(error) !== null) throw error;
    return new Set([words.unreadable((error as Error).message)]);
  });
  if (said.size > 0) return [...said].join(' ');
  // What was published is gone, so nothing can show any more that it was the same.
  return ballot.log_difference === words.restarted ? words.restarted : null;
}

async function differencesOf(context: ComparisonContext, ballot: ComparedBallot): Promise<Set<string>> {
  const { db, clock } = context;
  const said = new Set<string>();
  const { log, recorded, lost } = await readOneState(db, (trx) => recordedVotesOf(trx, ballot));
  if (recorded === 'others') said.add(texts.problems.otherVotes);
  if (lost !== null) said.add(lost);
  if (log === undefined || ballot.closed_at === null) return said;
  const isSettled = ballot.closed_at < clock.now() - settledMs;
  const paper = JSON.parse(log.paper) as BallotPaper;
  if (log.closed_at === null || log.result_due) {
    const hasNoResult = isSettled && (log.closed_at === null || log.results === 0);
    if (log.problem !== null) said.add(log.problem);
    else if (hasNoResult) said.add(words.noResult);
  } else if (!(await isDeciding(db, log))) {
    const totals = {
      ...(recorded === 'others' && { votes: await recordedVotes(db, ballot, paper) }),
      counters: await votesOf(db, ballot, paper),
      ...(isSettled && { page: await shownVotes(context, ballot, paper) }),
    };
    for (const sentence of await againstResult(db, log, ballot, paper, totals)) said.add(sentence);
  }
  return said;
}

/** The log of a ballot, whether the recorded votes are those in it, and why it lacks some; in one state, because polls are open. */
async function recordedVotesOf(trx: Database, { id, key }: ComparedBallot) {
  const log = await logOfBallot(trx, id);
  const [facts] = await ballotFacts(trx, [key]);
  const lost = facts === undefined ? null : await lostVotes(trx, log, facts);
  if (log === undefined) return { log, lost, recorded: 'same' } as const;
  const decisions = await decisionsWithActions(trx, id);
  const numbers = new Map(decisions.map((row) => [row.decision_key, loggedDecision(row)]));
  const ballots = await readBallots(trx, log, numbers);
  return { log, lost, recorded: typeof ballots === 'string' ? 'others' : 'same' } as const;
}

/** Whether a decision about votes is under way, or not in the log yet: counters, marks, and log differ until then. */
async function isDeciding(db: Database, log: PollLogRow): Promise<boolean> {
  if ((await newestActionOf(db, log.ballot_id)) !== log.last_action) return true;
  return (await db('unfinished_decisions').where({ ballot_key: log.ballot_key }).first('key')) !== undefined;
}

interface GivenTotals {
  readonly votes?: readonly number[];
  readonly counters: readonly number[];
  readonly page?: readonly number[] | undefined;
}

/** The differences from the newest result of a log, which is recounted as a reader would. */
async function againstResult(
  db: Database,
  log: PollLogRow,
  ballot: ComparedBallot,
  { poll, options }: BallotPaper,
  totals: GivenTotals,
): Promise<string[]> {
  const facts = await optionFacts(db, ballot.id);
  const merged = mergedIn(facts, options);
  const sentence = ({ source, option, votes, logged }: Difference) =>
    words.totals[source](options[option]!.label, votes, logged);
  const told = (differences: readonly Difference[]) => differences.slice(0, named).map(sentence);
  const site = await siteEvidence(db, log);
  if (!ballot.publish_ballots || !mayListBallots(log.size, ballot)) {
    const counted = site && countedIn(site.texts, log.origin);
    return counted ? told(differencesFrom(withBase(facts, options, counted), totals, merged)) : [];
  }
  const file = await newestBallotsFile(db, ballot.id);
  if (file === null) return [words.noResult];
  const evidence: Evidence = {
    file: unzipped(Buffer.concat(await Array.fromAsync(file.parts))),
    paper: JSON.parse(log.paper) as BallotPaper,
    checkpoints: await db('vote_log_checkpoints').where({ log_key: log.key }).orderBy('number').pluck('note'),
    site: site?.evidence ?? null,
  };
  const keys = (await announcedKeys(db)).flatMap(({ publicKey }) => fromBase64(publicKey) ?? []);
  const [written] = options.some(({ id }) => isWritten(id)) ? await ballotFacts(db, [ballot.key]) : [];
  const wording = written && paperOf(log.origin, written, facts);
  const expected = { poll, siteOrigin: site?.origin ?? '', keys, totals, merged, wording };
  const { verdict, detail, differences } = await recount(evidence, expected, verifySignature);
  if (verdict === 'ok') return [];
  return differences.length > 0
    ? told(differences)
    : [words.recount(detail === null ? verdict : `${verdict}, ${detail}`)];
}

/** The content of a compressed file; nothing if it is damaged, which the recount reports. */
function unzipped(file: Buffer): Uint8Array {
  try {
    return gunzipSync(file);
  } catch {
    return new Uint8Array();
  }
}

/** The entries about a public poll in the site-wide log with their proofs; null for other polls. */
async function siteEvidence(db: Database, log: PollLogRow) {
  if (!log.is_public) return null;
  const origin = await siteOriginOf(db, log);
  const site = origin === null ? undefined : await siteLogOf(db, origin);
  if (origin === null || site === undefined) return { origin: '', texts: [], evidence: { note: '', entries: [] } };
  const note = await newestNote(db, site);
  const entries = await entriesAbout(db, site, log.key, { size: parseCheckpoint(note)!.size });
  return { origin, texts: entries.map(({ text }) => text), evidence: { note, entries } };
}

/** The counted votes in the newest result of a log. */
function countedIn(entries: readonly string[], origin: string): number[] | null {
  const results = entries.map(parseEntry).filter((entry) => entry?.kind === 'result' && entry.lines[0] === origin);
  return results.at(-1)?.lines[5]?.split(' ').slice(1).map(Number) ?? null;
}

type PaperOptions = BallotPaper['options'];

/** The written answers that count for another option, by their numbers. */
function mergedIn(facts: readonly OptionFacts[], options: PaperOptions): Merged {
  const numberOf = (key: number | null) => {
    const id = facts.find((fact) => fact.key === key)?.option_id;
    return options.findIndex((option) => option.id === id);
  };
  return new Map(
    facts.flatMap(({ key, merged_into: into }) => (into === null ? [] : [[numberOf(key), numberOf(into)]])),
  );
}

/** Adds the votes that are in no log. */
function withBase(facts: readonly OptionFacts[], options: PaperOptions, counted: readonly number[]): number[] {
  return options.map(({ id }, number) => (facts.find((one) => one.option_id === id)?.base ?? 0) + counted[number]!);
}

/** The counters of the options. */
async function votesOf(db: Database, ballot: ComparedBallot, { options }: BallotPaper): Promise<number[]> {
  const rows = await db('ballot_options').where({ ballot_id: ballot.id }).select('option_id', 'votes');
  return options.map(({ id }) => rows.find((row) => row.option_id === id)?.votes ?? 0);
}

/** The counted votes that are recorded, in a scan of all votes. */
async function recordedVotes(db: Database, ballot: ComparedBallot, { options }: BallotPaper): Promise<number[]> {
  const rows = await db('votes')
    .where({ ballot_key: ballot.key })
    .whereRaw(isCounted('votes'))
    .groupBy('option_key')
    .select<{ key: number; votes: number | string }[]>('option_key as key', db.raw('count(*) as votes'));
  const facts = await optionFacts(db, ballot.id);
  const keys = new Map(facts.map(({ key, option_id }) => [option_id, key]));
  const further = await db
    .from(db.raw(countedFurther()))
    .where('v.ballot_key', ballot.key)
    .whereRaw(isCounted('v'))
    .groupBy('f.key')
    .select<{ key: number; votes: number | string }[]>('f.key', db.raw('count(*) as votes'));
  const counted = options.map(({ id }) =>
    [...rows, ...further].reduce((sum, { key, votes }) => sum + (key === keys.get(id) ? Number(votes) : 0), 0),
  );
  return withBase(facts, options, counted);
}

/** The votes that the poll’s page shows; undefined where it shows none. */
async function shownVotes({ readPage }: ComparisonContext, { id, kind }: ComparedBallot, { options }: BallotPaper) {
  const page = await readPage(kind === 'poll' ? `/poll/${id}` : `/community-polls/${id}`);
  const ids = options.map((option) => option.id);
  return page === null ? undefined : totalsOnPage(page, ids);
}

/** Polls that are read at once. */
const ballotsAtOnce = 20;

/** A poll whose result differs from its log, and how. */
export interface DifferingPoll {
  readonly pollId: string;
  readonly difference: string;
}

/** Compares every poll with its log, one after the other; yields those that differ. Changes nothing. */
export async function* differingPolls(context: ComparisonContext): AsyncGenerator<DifferingPoll> {
  for await (const ballot of ballotsFrom(context.db, 0)) {
    const difference = await compare(context, ballot);
    if (difference !== null) yield { pollId: ballot.id, difference };
  }
}

async function* ballotsFrom(db: Database, afterKey: number): AsyncGenerator<ComparedBallot> {
  for (let after = afterKey; ;) {
    const some = await db('ballots')
      .where('key', '>', after)
      .orderBy('key')
      .limit(ballotsAtOnce)
      .select<ComparedBallot[]>(...columns);
    yield* some;
    if (some.length < ballotsAtOnce) return;
    after = some.at(-1)!.key;
  }
}

/** Why the site-wide log isn’t the one that was published last; null if it is. */
export async function siteDifference(context: Pick<LogContext, 'db' | 'copy' | 'publicUrl'>): Promise<string | null> {
  return (await continuesCopy(context, await siteLog(context.db))) ? null : words.behindCopy;
}

/** What the polls’ counters have instead of their rows, by poll. */
function byPoll(counters: readonly WrongCounter[]): Map<string, string> {
  return new Map(
    counters.flatMap(({ counter, counted, expected }) => {
      const [, id] = /^votes (?:set aside )?of (?:ballot|option) ([\w-]+)/.exec(counter) ?? [];
      return id === undefined ? [] : [[id, words.counter(counter, counted, expected)] as const];
    }),
  );
}

/** Compares one poll with its log, and records what differs for the operator and for readers. */
export async function recordComparison(
  context: ComparisonContext & { readonly log: Logger },
  ballotKey: number,
  wrongCounters: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { db, clock, log } = context;
  const ballot = await db('ballots')
    .where({ key: ballotKey })
    .first<ComparedBallot | undefined>(...columns);
  if (ballot === undefined) return;
  const difference = (await compare(context, ballot)) ?? wrongCounters.get(ballot.id) ?? null;
  const before = ballot.log_difference;
  if (difference === before) return;
  if (difference !== null) log.error({ poll: ballot.id, difference }, 'the result of a poll differs from its log');
  await db.transaction(async (trx) => {
    const kind = ballot.kind === 'poll' ? 'report' : 'community';
    if (await markLogDifference(trx, ballotKey, difference))
      await recordChanges(trx, clock.now(), [{ kind, key: ballot.id }]);
  });
}

/** A round over all polls: when it began (milliseconds), and the last poll that was compared; null when it is over. */
interface Round {
  readonly began: number;
  readonly after: number | null;
}

const roundName = 'integrity.compared';
/** Milliseconds between the beginnings of two rounds. */
const roundMs = 86_400_000;
/** Milliseconds that one step of a round may take before the log has its turn. */
const stepMs = 2_000;

/** Continues the daily comparison of all polls, or begins one that is due. Interrupted anywhere, the next step continues. */
export async function continueRound(context: ComparisonContext & { readonly log: Logger }): Promise<void> {
  const { db, clock, log } = context;
  const row = await db('installation').where({ name: roundName }).first('value');
  const last = row === undefined ? null : (JSON.parse(row.value) as Round);
  const now = clock.now();
  const isDue = last === null || now - last.began >= roundMs || now < last.began;
  if (!isDue && last.after === null) return;
  const round: Round = isDue ? { began: now, after: 0 } : last;
  // Once per round: it reads every vote. Where that takes longer than a query may, the rest is still compared.
  const wrong = isDue
    ? await reconcile(db).then(
        ({ wrongCounters }) => byPoll(wrongCounters),
        (error: unknown) => {
          log.error({ err: error }, 'the counters of all polls could not be compared with their votes');
          return new Map<string, string>();
        },
      )
    : new Map<string, string>();
  let after = round.after ?? 0;
  for (const id of wrong.keys()) {
    const found = await db('ballots').where({ id }).first('key');
    if (found) await recordComparison(context, found.key, wrong);
  }
  const until = performance.now() + stepMs;
  let isDone = true;
  let compared = 0;
  for await (const { key, id } of ballotsFrom(db, after)) {
    if (!wrong.has(id)) await recordComparison(context, key);
    after = key;
    compared += 1;
    if (performance.now() < until) continue;
    isDone = false;
    break;
  }
  const value = JSON.stringify({ began: round.began, after: isDone ? null : after } satisfies Round);
  await db('installation').insert({ name: roundName, value }).onConflict('name').merge();
  log.info({ compared, through: after, done: isDone }, 'compared polls with their logs');
}

import type { BodyOf } from '#api/endpoints.contract.ts';
import { actionsListed } from './flags.contract.ts';
import type { Flag, FlaggedPoll, FlaggedVotes } from './flags.contract.ts';
import type { PollProtection, Protection, Visibility } from '#contract/vocabulary.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import { detectorScores } from '#domain/integrity/cluster.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { nextProtection, protectionOf, rankOf } from '#domain/protection.ts';
import { iso, isoOrNull, withTimeout } from '#platform/clock.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { record } from '#api/events/record.service.ts';
import { changePoll } from '#api/polls/editing.service.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';
import { changeProtection, lockBallots } from '#api/voting/ballots.service.ts';
import { switchChallenge } from '#api/voting/challenge-switch.service.ts';
import { decisionsOf, setAside } from '#api/voting/decisions.service.ts';
import type { DecisionContext, VoteDecision } from '#api/voting/decisions.service.ts';
import { requireOffered } from '#api/voting/protection.service.ts';
import { protectionTexts } from '#texts/protection.ts';
import { clusterOf, detectorActor, flagId, genuineFlags, holdDays } from './holds.service.ts';

/** Polls that the operator’s list shows. */
const pollsListed = 50;

/** What reading flags needs; with the levels of protection that this site offers. */
export interface FlagContext extends DecisionContext {
  readonly protections: readonly Protection[];
}

interface FlaggedRow {
  readonly key: number;
  readonly id: string;
  readonly kind: 'poll' | 'community';
  readonly total_votes: number;
  readonly set_aside_votes: number;
  readonly held_votes: number;
  readonly challenge: FlaggedPoll['challenge'];
  readonly challenged_until: number | null;
  readonly protection: number;
  readonly closed_at: number | null;
  readonly visibility: Visibility | null;
  readonly score: number | null;
  readonly detection: string | null;
  readonly scored_at: number | null;
}

const ballots = (db: Database) =>
  db('ballots as b')
    .leftJoin('integrity_scores as s', 's.ballot_key', 'b.key')
    .leftJoin('community_polls as c', 'c.id', 'b.id')
    .select<FlaggedRow[]>(
      ...['b.key', 'b.id', 'b.kind', 'b.total_votes', 'b.set_aside_votes', 'b.held_votes', 'b.challenge'],
      ...['b.challenged_until', 'b.protection', 'b.closed_at', 'c.visibility', 's.score', 's.detection', 's.scored_at'],
    );

/**
 * Polls with flags or a burst, with votes that are held, or whose votes need challenges: highest score first, without their
 * questions. `poll` comes before them, if it exists.
 */
export async function flaggedPolls(context: FlagContext, poll = ''): Promise<Omit<FlaggedPoll, 'question'>[]> {
  const rows = await ballots(context.db)
    .where((flagged) => {
      void flagged
        .where('s.score', '>=', detectorScores.shown)
        .orWhere('b.id', poll)
        .orWhereRaw("b.key in (select ballot_key from vote_decisions where state = 'held' and reason <> ?)", [
          writtenReason,
        ])
        .orWhereRaw(
          `b.key in (
            select key from ballots
            where (challenge = 'on' or challenged_until is not null) and closed_at is null
              and (challenge = 'on' or (challenge = 'auto' and challenged_until > ?))
          )`,
          [context.clock.now()],
        );
    })
    .orderByRaw('case when b.id = ? then 0 else 1 end, coalesce(s.score, 0) desc, b.held_votes desc, b.key', [poll])
    .limit(pollsListed);
  return present(context, rows);
}

/** What is flagged on one poll, and what was decided about its votes. Throws POLL_NOT_FOUND. */
export async function flaggedVotes(context: FlagContext, pollId: string): Promise<FlaggedVotes> {
  const [poll] = await present(context, await ballots(context.db).where('b.id', pollId));
  if (!poll) throw errors.pollNotFound();
  const { flags, decisions, nextProtection } = poll;
  return { flags, decisions, nextProtection };
}

async function present({ db, protections }: FlagContext, rows: readonly FlaggedRow[]) {
  const ids = rows.map(({ id }) => id);
  // The creator reviews written answers.
  const judged = (await decisionsOf(db, ids)).filter(({ reason }) => reason !== writtenReason);
  const decisions = Map.groupBy(judged, ({ ballotId }) => ballotId);
  const options = Map.groupBy(await optionsOf(db, ids), ({ ballot_id: id }) => id);
  const isGenuine = await genuineFlags(db, ids);
  return rows.map((row) => {
    const own = options.get(row.id) ?? [];
    return {
      ...{ id: row.id, kind: row.kind, score: row.score ?? 0 },
      scoredAt: isoOrNull(row.scored_at),
      ...{ countedVotes: row.total_votes, setAsideVotes: row.set_aside_votes, heldVotes: row.held_votes },
      challenge: row.challenge,
      challengedUntil: isoOrNull(row.challenged_until),
      ...protectionOfRow(row, protections),
      figures: figuresOf(row),
      flags: flagsOf(row, own, isGenuine).map(({ flag }) => flag),
      decisions: (decisions.get(row.id) ?? []).map((decision) => presentDecision(decision, own)).reverse(),
    };
  });
}

function figuresOf({ detection }: FlaggedRow): FlaggedPoll['figures'] {
  if (detection === null) return null;
  // A row of an earlier release has no burst.
  const {
    votes,
    hourly,
    hourlyBefore,
    burst = null,
  } = JSON.parse(detection) as Omit<Detection, 'burst'> & Partial<Detection>;
  return { votes, hourly, hourlyBefore, burst };
}

function protectionOfRow(row: FlaggedRow, offered: readonly Protection[]) {
  if (row.visibility === 'private') return { protection: 'invited', nextProtection: null } as const;
  const protection = protectionOf(row.protection);
  const next = row.closed_at === null ? nextProtection(protection, offered) : null;
  return { protection, nextProtection: next as PollProtection | null };
}

/** The flags of a ballot, as of the detector’s last run, each with the votes it is about. */
function flagsOf(
  { id, detection }: FlaggedRow,
  options: readonly OptionRow[],
  isGenuine: Awaited<ReturnType<typeof genuineFlags>>,
) {
  const { clusters = [] } = detection === null ? {} : (JSON.parse(detection) as Detection);
  const optionIds = new Map(options.map(({ key, option_id: optionId }) => [key, optionId]));
  return clusters.flatMap((finding) => {
    const { reason, score, votes, counted, signals, chart } = finding;
    const option = options.find(({ key }) => key === finding.option)?.text;
    const cluster = clusterOf(finding, optionIds);
    if (option === undefined || cluster === null) return [];
    const flag: Flag = {
      ...{ id: flagId(id, finding), option, reason, score, votes, counted, genuine: isGenuine(id, finding) },
      signals: [...signals],
      chart: { ...chart, votes: [...chart.votes] },
    };
    return [{ flag, cluster }];
  });
}

type OptionRow = Pick<Row<'ballot_options'>, 'key' | 'ballot_id' | 'option_id' | 'text'>;

const optionsOf = (db: Database, ballotIds: readonly string[]) =>
  db('ballot_options')
    .whereIn('ballot_id', [...ballotIds])
    .select('key', 'ballot_id', 'option_id', 'text');

function presentDecision(decision: VoteDecision, options: readonly OptionRow[]): FlaggedVotes['decisions'][number] {
  const { number, action, state, reason, votes, madeBy, madeAt, decidedAt, expiresAt, cluster } = decision;
  return {
    ...{ number, action, state, reason, votes },
    madeBy: madeBy === detectorActor ? 'detector' : madeBy.startsWith(creatorActor) ? 'creator' : 'operator',
    madeAt: iso(madeAt),
    decidedAt: isoOrNull(decidedAt),
    expiresAt: isoOrNull(expiresAt),
    evidence: {
      networks: cluster.networks?.length ?? 0,
      option: options.find(({ option_id: id }) => id === cluster.optionId)?.text ?? null,
      from: isoOrNull(cluster.from ?? null),
      to: isoOrNull(cluster.to ?? null),
    },
  };
}

/** How the names begin under which creators’ decisions are recorded; their ids follow. */
export const creatorActor = 'creator:';

/** Milliseconds after which setting votes aside is answered although it continues. */
const lateAnswerMs = 8_000;

/**
 * Sets the counted votes of a flag aside, holds them, or takes them for genuine; returns how many, or nothing if it continues
 * after `answerMs`. Throws NOT_FOUND for votes that are no longer flagged, and what {@link setAside} throws.
 */
export async function decideFlag(
  context: DecisionContext,
  ballotId: string,
  by: { readonly actor: string; readonly operator?: Operator },
  { flag: id, reason, note, action }: BodyOf<'decideFlag'>,
  answerMs = lateAnswerMs,
): Promise<{ votes?: number }> {
  const { db, clock } = context;
  const [row] = await ballots(db).where('b.id', ballotId);
  if (!row) throw errors.pollNotFound();
  const isGenuine = await genuineFlags(db, [ballotId]);
  const found = flagsOf(row, await optionsOf(db, [ballotId]), isGenuine).find(({ flag }) => flag.id === id);
  if (!found) throw errors.notFound();
  if (action === 'genuine') {
    if (!found.flag.genuine)
      await keepGenuine(context, { ballotKey: row.key, ballotId, flag: found.flag, note, ...by });
    return { votes: found.flag.counted };
  }
  const expiresAt = clock.now() + holdDays * 86_400_000;
  const how = { reason: reason ?? found.flag.reason, note, ...(action === 'hold' && { hold: { expiresAt } }) };
  const late = new Error('The votes are still being marked.');
  const working = setAside(context, { ballotId, cluster: found.cluster, ...how, ...by });
  return withTimeout(answerMs, working, () => late).then(
    ({ votes }) => ({ votes }),
    (error: unknown) => {
      if (error === late) return {};
      throw error;
    },
  );
}

/** Records that the votes of a flag stay because they are genuine; who was faster has done the same. */
async function keepGenuine(
  { db, clock, intake }: DecisionContext,
  kept: {
    readonly ballotKey: number;
    readonly ballotId: string;
    readonly flag: Flag;
    readonly note: string;
    readonly actor: string;
    readonly operator?: Operator;
  },
): Promise<void> {
  const { ballotKey, ballotId, flag, note, actor, operator } = kept;
  const { id, reason, votes } = flag;
  const at = clock.now();
  await intake.runExclusive(() =>
    db.transaction(async (trx) => {
      const entry = { at, actor, action: 'genuine', ballot_key: ballotKey, ballot_id: ballotId } as const;
      const added = await trx('integrity_actions')
        .insert({ ...entry, reason, votes, note, flag: id })
        .onConflict(trx.raw('(ballot_id, flag, votes) where flag is not null'))
        .ignore()
        .returning('id');
      if (added.length === 0 || operator === undefined) return;
      await record(trx, {
        ...{ at, actor: operator, type: 'votes.decide', subject: { kind: 'poll', id: ballotId } },
        after: { flag: id, action: 'genuine', reason, votes, note },
        counts: false,
      });
    }),
  );
}

/** The newest entries of the audit log. */
export async function integrityActions(db: Database) {
  const rows = await db('integrity_actions')
    .orderBy('id', 'desc')
    .limit(actionsListed)
    .select('at', 'actor', 'action', 'ballot_id', 'reason', 'votes', 'note');
  return rows.map(({ at, ballot_id: pollId, ...action }) => ({ ...action, at: iso(at), pollId }));
}

/** Switches challenges for a poll; the audit log records who, when, and why. Throws POLL_NOT_FOUND. */
export async function changeChallenge(
  { db, clock, intake }: DecisionContext,
  ballotId: string,
  operator: Operator,
  { challenge, note }: BodyOf<'switchChallenge'>,
): Promise<void> {
  const change = { challenge, at: clock.now(), actor: operator.name, operator, note: note ?? '' };
  if (!(await intake.runExclusive(() => switchChallenge(db, ballotId, change)))) throw errors.pollNotFound();
}

/**
 * Requires more of votes on a running poll, which for a weekly one is an edit; the audit log records who, when, and why. Throws POLL_NOT_FOUND,
 * VALIDATION_FAILED, and CONFLICT for a level that isn’t higher.
 */
export async function raiseProtection(
  { db, clock, protections }: Pick<DecisionContext, 'db' | 'clock'> & { readonly protections: readonly Protection[] },
  ballotId: string,
  operator: Operator,
  { protection, note }: BodyOf<'raiseProtection'>,
): Promise<void> {
  requireOffered(protection, protections);
  await db.transaction(async (trx) => {
    const at = clock.now();
    await lockBallots(trx, [ballotId]);
    const ballot = await BallotModel.query(trx).findById(ballotId).forUpdate();
    if (!ballot) throw errors.pollNotFound();
    const before = protectionOf(ballot.protection);
    const isPrivate = await trx('community_polls').where({ id: ballotId, visibility: 'private' }).first('id');
    if (isPrivate || rankOf(protection) <= rankOf(before)) throw errors.conflict(protectionTexts.raised);
    const edit = { actor: operator.name, now: at, type: 'votes.protection', note } as const;
    if (await changePoll(trx, ballotId, { protection }, edit)) return;
    await changeProtection(trx, ballot, protection, at);
    await record(trx, {
      ...{ at, actor: operator, type: 'votes.protection', subject: { kind: 'poll', id: ballotId } },
      ...{ before: { protection: before }, after: { protection, note } },
      poll: { kind: 'community', listed: ballot.listed },
    });
  });
}

import type { BodyOf } from '#contract/endpoints.ts';
import { actionsListed } from '#contract/suspicion.ts';
import type { IntegrityAction, Suspicion, VoteCluster } from '#contract/suspicion.ts';
import { detectorScores } from '#domain/integrity/cluster.ts';
import type { ClusterFinding } from '#domain/integrity/cluster.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { switchChallenge } from '#api/voting/challenge-switch.service.ts';
import { recordAudit } from '#api/audit/audit.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { BallotModel } from '#api/voting/ballot.model.ts';
import { changeProtection, lockBallots } from '#api/voting/ballots.service.ts';
import { requireOffered } from '#api/voting/protection.service.ts';
import type { PollProtection, Protection, Visibility } from '#contract/vocabulary.ts';
import { nextProtection, protectionOf, rankOf } from '#domain/protection.ts';
import { protectionTexts } from '#texts/protection.ts';
import { decisionsOf, setAside } from '#api/voting/decisions.service.ts';
import type { DecisionContext, VoteDecision } from '#api/voting/decisions.service.ts';
import { holdDays } from './holds.service.ts';

/** Polls that the operator’s list shows. */
const suspicionsListed = 50;

interface SuspectRow {
  readonly key: number;
  readonly id: string;
  readonly kind: 'poll' | 'community';
  readonly total_votes: number;
  readonly set_aside_votes: number;
  readonly held_votes: number;
  readonly challenge: Suspicion['challenge'];
  readonly challenged_until: number | null;
  readonly protection: number;
  readonly closed_at: number | null;
  readonly visibility: Visibility | null;
  readonly score: number | null;
  readonly detection: string | null;
  readonly scored_at: number | null;
}

/**
 * Polls that the detector flagged, with a burst, with votes that are held, or whose votes need challenges: most suspicious first, without
 * their questions. `poll` comes before them, if it exists.
 */
export async function suspicions(
  db: Database,
  { now, protections }: { readonly now: number; readonly protections: readonly Protection[] },
  poll = '',
): Promise<Omit<Suspicion, 'question'>[]> {
  const rows = await db('ballots as b')
    .leftJoin('integrity_scores as s', 's.ballot_key', 'b.key')
    .leftJoin('community_polls as c', 'c.id', 'b.id')
    .where((suspect) => {
      void suspect
        .where('s.score', '>=', detectorScores.shown)
        .orWhere('b.id', poll)
        .orWhereRaw("b.key in (select ballot_key from vote_decisions where state = 'held')")
        .orWhereRaw(
          `b.key in (
            select key from ballots
            where (challenge = 'on' or challenged_until is not null) and closed_at is null
              and (challenge = 'on' or (challenge = 'auto' and challenged_until > ?))
          )`,
          [now],
        );
    })
    .orderByRaw('case when b.id = ? then 0 else 1 end, coalesce(s.score, 0) desc, b.held_votes desc, b.key', [poll])
    .limit(suspicionsListed)
    .select<SuspectRow[]>(
      ...['b.key', 'b.id', 'b.kind', 'b.total_votes', 'b.set_aside_votes', 'b.held_votes', 'b.challenge'],
      ...['b.challenged_until', 'b.protection', 'b.closed_at', 'c.visibility', 's.score', 's.detection', 's.scored_at'],
    );
  const ids = rows.map(({ id }) => id);
  const decisions = Map.groupBy(await decisionsOf(db, ids), ({ ballotId }) => ballotId);
  const options = await optionsOf(db, ids);
  return rows.map((row) => {
    const { clusters = [], ...figures } = row.detection === null ? {} : (JSON.parse(row.detection) as Detection);
    const { votes, largestNetwork, newDevices, newAccounts, hourly, hourlyBefore } = figures as Detection;
    // A row of an earlier release has none.
    const burst = (figures as Partial<Detection>).burst ?? null;
    return {
      ...{ id: row.id, kind: row.kind, score: row.score ?? 0 },
      scoredAt: isoOrNull(row.scored_at),
      ...{ countedVotes: row.total_votes, setAsideVotes: row.set_aside_votes, heldVotes: row.held_votes },
      challenge: row.challenge,
      challengedUntil: isoOrNull(row.challenged_until),
      ...protectionOfRow(row, protections),
      figures:
        row.detection === null ? null : { votes, largestNetwork, newDevices, newAccounts, hourly, hourlyBefore, burst },
      clusters: clusters.flatMap((cluster) => presentCluster(cluster, options)),
      decisions: (decisions.get(row.id) ?? []).map(presentDecision).reverse(),
    };
  });
}

function protectionOfRow(row: SuspectRow, offered: readonly Protection[]) {
  if (row.visibility === 'private') return { protection: 'invited', nextProtection: null } as const;
  const protection = protectionOf(row.protection);
  const next = row.closed_at === null ? nextProtection(protection, offered) : null;
  return { protection, nextProtection: next as PollProtection | null };
}

/** The suspicious clusters of one ballot, as of the detector’s last run. */
export async function clustersOf(db: Database, ballotId: string): Promise<VoteCluster[]> {
  const row = await db('integrity_scores as s')
    .join('ballots as b', 'b.key', 's.ballot_key')
    .where('b.id', ballotId)
    .first<{ detection: string } | undefined>('s.detection');
  if (row === undefined) return [];
  const options = await optionsOf(db, [ballotId]);
  return (JSON.parse(row.detection) as Detection).clusters.flatMap((cluster) => presentCluster(cluster, options));
}

/** A cluster with the public id and the text of its option; nothing if the option is gone. */
function presentCluster(
  { criteria: { option: only, ...criteria }, option, ...cluster }: ClusterFinding,
  options: ReadonlyMap<number, OptionRow>,
): VoteCluster[] {
  const chosen = options.get(option);
  if (!chosen) return [];
  return [
    {
      ...{ ...cluster, signals: [...cluster.signals], option: chosen.text },
      chart: { ...cluster.chart, votes: [...cluster.chart.votes] },
      criteria: {
        ...criteria,
        ...(criteria.networks && { networks: [...criteria.networks] }),
        ...(only !== undefined && { optionId: chosen.option_id }),
      } as VoteCluster['criteria'],
    },
  ];
}

interface OptionRow {
  readonly key: number;
  readonly option_id: string;
  readonly text: string;
}

async function optionsOf(db: Database, ballotIds: readonly string[]): Promise<ReadonlyMap<number, OptionRow>> {
  const rows = await db('ballot_options')
    .whereIn('ballot_id', [...ballotIds])
    .select<OptionRow[]>('key', 'option_id', 'text');
  return new Map(rows.map((row) => [row.key, row]));
}

function presentDecision({ madeAt, decidedAt, expiresAt, ...decision }: VoteDecision): Suspicion['decisions'][number] {
  const { number, action, state, reason, votes, madeBy, note } = decision;
  return {
    ...{ number, action, state, reason, votes, madeBy, note, madeAt: iso(madeAt) },
    decidedAt: isoOrNull(decidedAt),
    expiresAt: isoOrNull(expiresAt),
  };
}

interface ActionRow {
  readonly at: number;
  readonly actor: string;
  readonly action: IntegrityAction;
  readonly ballot_id: string;
  readonly reason: Suspicion['decisions'][number]['reason'] | null;
  readonly votes: number;
  readonly note: string;
}

/** The newest entries of the audit log. */
export async function integrityActions(db: Database) {
  const rows = await db('integrity_actions')
    .orderBy('id', 'desc')
    .limit(actionsListed)
    .select<ActionRow[]>('at', 'actor', 'action', 'ballot_id', 'reason', 'votes', 'note');
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
 * Requires more of votes on a running poll; the audit log records who, when, and why. Throws POLL_NOT_FOUND,
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
    await changeProtection(trx, ballot, protection, at);
    const kind = ballot.kind === 'poll' ? 'poll' : 'community';
    if (ballot.listed) await recordChanges(trx, at, [{ kind, key: ballotId, event: 'edited' }]);
    const changed = { before: { protection: before }, after: { protection, note } };
    await recordAudit(trx, {
      at,
      actor: operator,
      action: 'votes.protection',
      subject: { kind: 'poll', id: ballotId },
      ...changed,
    });
  });
}

/** Sets the counted votes of a cluster aside, or holds them; returns how many. Throws what {@link setAside} throws. */
export async function setClusterAside(
  context: DecisionContext,
  ballotId: string,
  by: { readonly actor: string; readonly operator?: Operator },
  { criteria, reason, note, hold }: BodyOf<'setVotesAside'>,
): Promise<{ votes: number }> {
  const { from, to, ...which } = criteria;
  const cluster = { ...which, from: from * 60_000, to: to * 60_000 };
  const expiresAt = context.clock.now() + holdDays * 86_400_000;
  const how = { ballotId, cluster, reason, ...by, note: note ?? '', ...(hold && { hold: { expiresAt } }) };
  const { votes } = await setAside(context, how);
  return { votes };
}

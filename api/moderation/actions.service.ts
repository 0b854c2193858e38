import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import { operatorsAmong } from '#api/members/accounts/operator-accounts.service.ts';
import { endedSuspensions, lockAccountDeletion, setSuspended } from '#api/members/accounts/suspension.service.ts';
import { isSuspended } from '#api/members/accounts/user.model.ts';
import { CommentModel } from '#api/comments/comment.model.ts';
import { removeComment, setCommentHidden, setCommentsHidden } from '#api/comments/moderation.service.ts';
import { countComment } from '#api/polls/community/community-polls.service.ts';
import { pollIdsOf, removePoll } from '#api/polls/community/ending.service.ts';
import { closeBallot } from '#api/voting/ballots.service.ts';
import { restorePoll, takeDownPoll } from '#api/polls/community/taking-down.service.ts';
import { lockBallots } from '#api/voting/ballots.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { ModerationAction, ReportedKind } from '#contract/vocabulary.ts';
import { trimText } from '#domain/visible-text.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { operatorsApiTexts } from '#texts/operators.ts';
import { moderationApiTexts as texts } from '#texts/moderation.ts';
import { authorsOf, contentOf, findSubject, foundAtOnce, membersFrom, networksOf } from './subjects.queries.ts';
import type { Subject, Target } from './subjects.queries.ts';

/** What the use cases of moderation need. */
export interface ModerationContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** Nobody decided: a suspension’s time was up. */
const systemActor = 'system';

/** `unchanged` when it was so already. */
export type Outcome = 'changed' | 'unchanged' | 'missing';

/** What is done to a target, and why. */
interface Decision {
  readonly action: ModerationAction;
  readonly actor: Actor;
  readonly reason: string;
  /** End of a suspension in milliseconds; null: for good. */
  readonly until?: number | null;
  /** It grants an appeal, of which the member is notified instead. */
  readonly isAppeal?: boolean;
}

/** What can be done to each kind. */
export const allowedActions: Readonly<Record<ReportedKind, readonly ModerationAction[]>> = {
  comment: ['hide', 'show', 'delete', 'dismiss'],
  poll: ['hide', 'show', 'delete', 'close', 'dismiss'],
  member: ['suspend', 'lift', 'dismiss'],
};
const aboutMembers: ReadonlySet<ModerationAction> = new Set(['suspend', 'lift']);

/**
 * Decides about comments, polls, or members, each in a transaction of its own, so that an interrupted call can be repeated.
 * With a scope also about everything by the same members or from the same networks, as far as the action would change it.
 * Throws BAD_REQUEST when the action doesn't fit, VALIDATION_FAILED without a reason.
 */
export async function moderate(
  context: ModerationContext,
  actor: Actor,
  { action, kind, ids, reason: written, days, scope }: BodyOf<'moderate'>,
): Promise<Record<Outcome, number>> {
  const { db, clock } = context;
  const reason = trimText(written);
  if (reason === '')
    throw errors.validationFailed(
      fieldErrors([{ keyword: 'required', instancePath: '', params: { missingProperty: 'reason' } }]),
    );
  if (scope === 'each' && !aboutMembers.has(action) && !allowedActions[kind].includes(action))
    throw errors.badRequest(texts.notApplicable);
  if (days !== undefined && action !== 'suspend') throw errors.badRequest(texts.notApplicable);
  const until = days === undefined ? null : clock.now() + days * 86_400_000;
  const counts = { changed: 0, unchanged: 0, missing: 0 };
  for (const target of await targetsOf(db, { action, kind, ids, scope }))
    counts[await decide(context, target, { action, actor, reason, until })] += 1;
  return counts;
}

async function targetsOf(
  db: Database,
  { action, kind, ids, scope }: Required<Pick<BodyOf<'moderate'>, 'action' | 'kind' | 'ids' | 'scope'>>,
): Promise<Target[]> {
  const named = [...new Set(ids)].map((id) => ({ kind, id }));
  const networks = scope === 'network' ? await networksOf(db, kind, ids) : [];
  const ofNetwork = scope === 'network' && networks.length > 0;
  if (aboutMembers.has(action)) {
    const members = new Set(await authorsOf(db, kind, ids));
    // Before the first of them is suspended.
    if (action === 'suspend' && (await operatorsAmong(db, [...members])).size > 0)
      throw errors.conflict(operatorsApiTexts.isOperatorMember);
    if (ofNetwork) {
      const neighbors = await membersFrom(db, networks);
      const operators = await operatorsAmong(db, neighbors);
      for (const id of neighbors) if (!operators.has(id)) members.add(id);
    }
    return [...members].map((id) => ({ kind: 'member', id }));
  }
  if (scope === 'each') return named;
  const content = await contentOf(db, { members: await authorsOf(db, kind, ids) }, action);
  if (ofNetwork) content.push(...(await contentOf(db, { networks }, action)));
  // The named ones first: reports about them are handled even if they are hidden already.
  const all = [...named.filter((one) => allowedActions[one.kind].includes(action)), ...content];
  return [...new Map(all.map((one) => [`${one.kind} ${one.id}`, one])).values()].slice(0, foundAtOnce);
}

/** Decides about one comment, poll, or member. */
export async function decide(context: ModerationContext, target: Target, decision: Decision): Promise<Outcome> {
  return context.db.transaction((trx) => decideIn(trx, context.clock, target, decision));
}

/**
 * Decides in a transaction that has locked nothing yet: changes the target, writes the audit log, marks
 * its reports as handled, and notifies its member and those who reported it.
 */
export async function decideIn(trx: Database, clock: Clock, target: Target, decision: Decision): Promise<Outcome> {
  const now = clock.now();
  const { action, actor, reason, until = null, isAppeal = false } = decision;
  const isAboutMember = target.kind === 'member';
  // Whoever deletes an account locks its polls before it, and a decision locks accounts before a poll.
  await lockAccountDeletion(trx);
  const subject = await findSubject(trx, target);
  if (!subject) return 'missing';
  const reports = await openReports(trx, subject, action);
  // Notifications refer to these accounts.
  const concerned = [
    ...new Set([
      ...reports.flatMap(({ user_id }) => user_id ?? []),
      ...(isAboutMember ? [] : [subject.memberId ?? '']),
    ]),
  ];
  await trx('users').whereIn('id', concerned).orderBy('id').forKeyShare().select('id');
  await trx('reports')
    .whereIn(
      'id',
      reports.map(({ id }) => id),
    )
    .update({ handled_at: now, email: null });
  const outcome = await carryOut({ trx, clock }, subject, { action, actor, until });
  if (outcome === 'missing') return outcome;
  if (outcome === 'unchanged' && (action !== 'dismiss' || reports.length === 0)) return 'unchanged';
  const undone = { show: ['hide'], lift: ['suspend'], suspend: ['suspend'], hide: ['hide'] } as Partial<
    Record<ModerationAction, string[]>
  >;
  const { kind, id, label, memberId } = subject;
  const name = typeof actor === 'string' ? actor : actor.name;
  if (undone[action] !== undefined)
    await trx('moderation_actions')
      .where({ kind, subject: id })
      .whereIn('action', undone[action])
      .whereNull('ended_at')
      .update({ ended_at: now });
  const [entry] = await trx('moderation_actions')
    .insert({ actor: name, action, kind, subject: id, label, member_id: memberId, reason, created_at: now, until })
    .returning('id');
  const made = {
    ...{ id: entry!.id, reason, poll: action === 'delete' ? null : subject.pollId },
    member: action === 'dismiss' || isAppeal ? null : memberId,
    reporters: [...new Set(reports.flatMap(({ user_id }) => user_id ?? []))].filter((one) => one !== memberId),
  };
  if (actor === systemActor)
    await record(trx, {
      ...{ type: 'suspension.ended', at: now, subject: { kind: 'decision', id: `${made.id}` }, decision: made },
    });
  else
    await record(trx, {
      ...{ type: 'moderation.decide', at: now, actor, subject: { kind, id }, decision: made },
      after: { action, reason, ...(until !== null && { until: iso(until) }) },
    });
  return 'changed';
}

interface OpenReport {
  readonly id: number;
  /** Null: somebody who was signed out. */
  readonly user_id: string | null;
}

/** The reports that an action handles: a suspension also those about the member’s polls and comments. */
async function openReports(trx: Database, { kind, id }: Subject, action: ModerationAction): Promise<OpenReport[]> {
  const open = trx('reports')
    .whereNull('handled_at')
    .where((about) => {
      void about.where({ kind, subject: id });
      if (action !== 'suspend') return;
      void about.orWhereIn('comment_id', trx('comments').where({ user_id: id }).select('id'));
      void about.orWhereIn('poll_id', trx('community_polls').where({ created_by: id }).select('id'));
    });
  return open.orderBy('id').select('id', 'user_id');
}

async function carryOut(
  { trx, clock }: { readonly trx: Database; readonly clock: Clock },
  subject: Subject,
  { action, actor, until }: Pick<Decision, 'action' | 'actor'> & { readonly until: number | null },
): Promise<Outcome> {
  const now = clock.now();
  const { kind, id } = subject;
  if (action === 'dismiss') return 'unchanged';
  if (kind === 'member') return action === 'suspend' ? suspend(trx, id, { now, until }) : lift(trx, id, { actor, now });
  const suspended = action === 'show' && (await isMemberSuspended(trx, subject.memberId, now));
  if (kind === 'comment')
    return action === 'delete' ? deleteComment(trx, id) : setCommentHidden(trx, id, action === 'hide', { suspended });
  switch (action) {
    case 'hide':
      return takeDownPoll(trx, { id, by: 'moderator', now });
    case 'show':
      return restorePoll(trx, { id, by: 'moderator', now }, { suspended });
    case 'close':
      return (await closeBallot(trx, id, now)) ? 'changed' : 'unchanged';
    default:
      return (await removePoll({ trx, clock }, id)) ? 'changed' : 'missing';
  }
}

async function isMemberSuspended(trx: Database, memberId: string | null, now: number): Promise<boolean> {
  const member = await trx('users')
    .where({ id: memberId ?? '' })
    .first();
  return member !== undefined && isSuspended(member, now);
}

async function deleteComment(trx: Database, id: string): Promise<Outcome> {
  const comment = await CommentModel.query(trx).findById(id);
  if (!comment) return 'missing';
  await countComment(trx, comment.poll_id, 0);
  return (await removeComment(trx, comment)) ? 'changed' : 'missing';
}

/** Suspends a member and takes all of the member’s polls and comments down. */
async function suspend(
  trx: Database,
  id: string,
  { now, until }: { readonly now: number; readonly until: number | null },
): Promise<Outcome> {
  // Ballots before the account, in the order in which a vote locks them, to prevent deadlocks.
  await lockBallots(trx, await pollIdsOf(trx, [id]));
  // Locks the account, which nobody can make an operator from here on.
  if (!(await setSuspended(trx, id, { at: now, until }))) return 'missing';
  if ((await operatorsAmong(trx, [id])).size > 0) throw errors.conflict(operatorsApiTexts.isOperatorMember);
  // Comments before polls: taking polls down locks the headline figures.
  await setCommentsHidden(trx, id, true);
  for (const pollId of await pollIdsOf(trx, [id])) await takeDownPoll(trx, { id: pollId, by: 'suspension', now });
  return 'changed';
}

/** Ends a suspension, and shows what it took down; the system only ends one whose time is up. */
async function lift(
  trx: Database,
  id: string,
  { actor, now }: { readonly actor: Actor; readonly now: number },
): Promise<Outcome> {
  await lockBallots(trx, await pollIdsOf(trx, [id]));
  const member = await trx('users').where({ id }).forUpdate().first();
  if (!member) return 'missing';
  const { suspended_at: since, suspended_until: until } = member;
  if (since === null || (actor === systemActor && (until === null || until > now))) return 'unchanged';
  await setSuspended(trx, id, null);
  await setCommentsHidden(trx, id, false);
  for (const pollId of await pollIdsOf(trx, [id])) await restorePoll(trx, { id: pollId, by: 'suspension', now });
  return 'changed';
}

/** Ends the suspensions whose time is up. */
export async function liftEnded(context: ModerationContext): Promise<void> {
  for (const id of await endedSuspensions(context.db, context.clock.now()))
    await decide(context, { kind: 'member', id }, { action: 'lift', actor: systemActor, reason: texts.timeIsUp });
}

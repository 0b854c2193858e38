import { requireOffered } from '#api/voting/protection.service.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { questionsSeenBy } from '#api/polls/community/access.service.ts';
import { setFeatured } from '#api/polls/community/community-polls.service.ts';
import { publishedArticles } from '#api/content/blog/articles.service.ts';
import { importRecord } from '#api/polls/import/import-history.service.ts';
import { makeHtmlSafe } from '#api/polls/import/poll-import.service.ts';
import { undoImport } from '#api/polls/import/undo.service.ts';
import { editPoll, managedPage, operatorQuestions } from '#api/polls/managing.service.ts';
import { questionsOf } from '#api/polls/polls.service.ts';
import type { PreviewLinks } from '#api/polls/preview-links.service.ts';
import { publishingOverview } from '#api/publishing/overview.service.ts';
import { pausedSince, publishAgain, setPaused } from '#api/publishing/state.service.ts';
import { logAlerts } from '#api/integrity/log/alerts.service.ts';
import { flaggedPolls, integrityActions } from '#api/integrity/flags.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import type { ImportRecord } from '#api/polls/import/poll-import.contract.ts';
import type { ManagedPolls, PollTexts } from '#api/polls/managing.contract.ts';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import type { ManagedState, PollKind, Protection } from '#contract/vocabulary.ts';
import type { Change } from '#domain/pages-of.ts';
import { roleAllows } from '#domain/operator-access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { Operator } from '#platform/operator.ts';
import { adminApiTexts as texts } from '#texts/admin-api.ts';
import { countDemonstration } from './demonstration.service.ts';

// The routes reach other features' use cases through this file.
export { sharedActor } from '#api/events/events.ts';
export { removeDemonstration } from './demonstration.service.ts';
export { changeChallenge, decideFlag, raiseProtection } from '#api/integrity/flags.service.ts';
export { endDecision } from '#api/voting/decisions.service.ts';
export { moderate } from '#api/moderation/actions.service.ts';
export { decideAppeal } from '#api/moderation/appeals.service.ts';
export { moderationLog, moderationScope, reportQueue } from '#api/moderation/queue.service.ts';
export { importHistory } from '#api/polls/import/import-history.service.ts';
export { previewUndo } from '#api/polls/import/undo.service.ts';
export { closePoll, reopenPoll } from '#api/polls/managing.service.ts';
export { buildFigures } from '#api/publishing/overview.service.ts';
export { logAlerts } from '#api/integrity/log/alerts.service.ts';

/** Milliseconds after which an undo is answered although it continues. */
const lateAnswerMs = 8_000;

/** What the operator’s use cases need. */
export interface OperationContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'dataDir' | 'timeZone'>;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
  readonly previews: PreviewLinks;
  /** The levels of protection that this site offers. */
  readonly protections: readonly Protection[];
}

/** The state of publishing, with the titles of what changed. */
export function publishingState({ db, clock, config }: Pick<OperationContext, 'db' | 'clock' | 'config'>) {
  return publishingOverview(db, config.dataDir, async (changes) => {
    const keys = (...kinds: readonly Change['kind'][]) =>
      changes.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);
    const [polls, communityPolls] = [keys('poll', 'report'), keys('community')];
    const weekly = await operatorQuestions(db, polls);
    const community = await questionsSeenBy({ db, now: clock.now() }, communityPolls, null);
    const articles = keys('content').length === 0 ? [] : await publishedArticles(db);
    const headlines = new Map(articles.map(({ slug, title }) => [`content/blog/${slug}.md`, title]));
    return ({ kind, key }) =>
      (kind === 'community' ? community : kind === 'content' ? headlines : weekly).get(key) ?? null;
  });
}

/** Publishes all content again, or with `force` every page; returns the state of publishing. Throws CONFLICT while publishing is paused. */
export async function rebuildSite(
  { db, clock, config }: OperationContext,
  actor: Operator,
  force: boolean,
): Promise<Publishing> {
  if ((await pausedSince(db)) !== null) throw errors.conflict(texts.paused);
  const at = clock.now();
  await db.transaction((trx) => publishAgain(trx, { at, actor, whole: force ? texts.buildReason : null }));
  return publishingState({ db, clock, config });
}

/** Pauses or resumes publishing; returns the state of publishing. */
export async function pausePublishing(
  { db, clock, config }: OperationContext,
  actor: Operator,
  isPaused: boolean,
): Promise<Publishing> {
  await setPaused(db, clock, isPaused, actor);
  return publishingState({ db, clock, config });
}

/** Features a public community poll or stops featuring it. */
export async function featurePoll(
  context: OperationContext,
  operator: Operator,
  { id, featured }: { readonly id: string; readonly featured: boolean },
): Promise<void> {
  const outcome = await setFeatured(context, id, featured, operator);
  if (outcome === 'not-found') throw errors.pollNotFound();
  if (outcome === 'not-public') throw errors.badRequest(texts.onlyPublic);
}

/** Undoes an import; returns its state after at most `lateAnswerMs`, while the undo continues. */
export async function undoAnImport(
  context: OperationContext,
  id: number,
  actor: string,
  options: { readonly discardEdits?: boolean },
): Promise<ImportRecord> {
  const settled = new AbortController();
  const undone = undoImport(context, id, { ...options, actor }).finally(() => settled.abort());
  // A failure after the answer shows in the history: the undo is unfinished and can be started again.
  undone.catch(() => undefined);
  const timeout = pause(lateAnswerMs, undefined, { signal: settled.signal, ref: false }).catch(() => undefined);
  await Promise.race([undone, timeout]);
  return importRecord(context.db, id);
}

/** One page of polls, and the number of demonstration polls. */
export async function listPolls(
  context: OperationContext,
  { role, isToken }: Operator,
  query: { page?: number; state?: ManagedState; search?: string },
): Promise<ManagedPolls> {
  const { page = 1, state, search } = query;
  const previews = !isToken && roleAllows(role, 'editor') ? context.previews : null;
  const found = await managedPage({ ...context, previews }, { page, state, search });
  return { ...found, demonstration: await countDemonstration(context.db) };
}

/** Changes texts of a poll; removes HTML that is not allowed from the analysis and returns what was removed. */
export async function editTexts(
  context: OperationContext,
  id: string,
  texts: PollTexts,
  actor: string,
): Promise<{ changed: boolean; removed: string[] }> {
  requireOffered(texts.protection, context.protections);
  const { html, removed } = makeHtmlSafe(texts.analysis ?? '');
  const safe = texts.analysis === undefined ? texts : { ...texts, analysis: html };
  return { changed: await editPoll(context, id, safe, actor), removed };
}

/** Polls with flagged votes, and before them the one asked for, with their questions; null for a private poll’s question. */
export async function listFlaggedPolls(context: OperationContext, poll?: string) {
  const { db, clock } = context;
  const now = clock.now();
  const [found, actions, log] = await Promise.all([
    flaggedPolls(context, poll),
    integrityActions(db),
    logAlerts(db, now),
  ]);
  const ids = (wanted: PollKind) => found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const questions = {
    poll: await questionsOf({ db, now }, ids('poll')),
    community: await questionsSeenBy({ db, now }, ids('community'), null),
  };
  const polls = found.map((poll) => ({ ...poll, question: questions[poll.kind].get(poll.id) ?? null }));
  return { polls, actions, log };
}

import { lockPollBallot } from '#api/voting/ballots.service.ts';
import { requireOffered } from '#api/voting/protection.service.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import type { EditedPoll, PollVersions } from './poll-editor.contract.ts';
import { pick } from '#domain/field-changes.ts';
import { changedFields, tidyContent } from '#domain/poll-draft.ts';
import { iso } from '#platform/clock.ts';
import { readOneState } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { findDraft, findVersions } from './drafts.queries.ts';
import { editedIn } from './drafts.service.ts';
import type { EditorContext } from './drafts.service.ts';
import { applyChanges } from './editing.service.ts';
import { contentOf } from './poll.presenter.ts';
import { findPoll } from './polls.queries.ts';
import type { PollsContext } from './polls.service.ts';

/** Versions that one request returns. */
const versionsAtOnce = 20;

/** Versions of a poll, newest first, each with the fields that it changed, and that restoring it would. Throws POLL_NOT_FOUND. */
export const pollVersions = ({ db }: PollsContext, id: string, before?: number): Promise<PollVersions> =>
  readOneState(db, async (trx) => {
    const found = await findVersions(trx, id, { before, count: versionsAtOnce + 1 });
    const poll = await findPoll(trx, id);
    if (!poll && found.length === 0 && !(await findDraft(trx, id))) throw errors.pollNotFound();
    const versions = found.slice(0, versionsAtOnce).map((version, place) => {
      const { number, content, created_at, created_by } = version;
      const earlier = found[place + 1];
      const fields = earlier ? changedFields(earlier.content, content) : [];
      return {
        ...{ number, at: iso(created_at), by: created_by },
        ...{ before: earlier ? pick(earlier.content, fields) : {}, after: pick(content, fields) },
        restored: poll ? pick(content, changedFields(contentOf(poll), tidyContent(content))) : {},
      };
    });
    return { versions, more: found.length > versionsAtOnce };
  });

/**
 * Publishes all fields of an earlier version again. Throws POLL_NOT_FOUND for a poll that isn’t published, NOT_FOUND for
 * an unknown version, CONFLICT when the poll was changed since `publishedAt`, and like {@link applyChanges}.
 */
export async function restorePoll(
  context: EditorContext,
  id: string,
  { publishedAt, from }: BodyOf<'restorePoll'>,
  actor: string,
): Promise<EditedPoll> {
  return context.db.transaction(async (trx) => {
    await lockPollBallot(trx, id);
    const poll = await findPoll(trx, id);
    if (!poll) throw errors.pollNotFound();
    if (iso(poll.updated_at) !== publishedAt) throw errors.conflict(adminApiTexts.drafts.changedMeanwhile);
    const [version] = await findVersions(trx, id, { before: from + 1, count: 1 });
    if (version?.number !== from) throw errors.notFound();
    const { content } = version;
    if (content.protection !== contentOf(poll).protection) requireOffered(content.protection, context.protections);
    await applyChanges(trx, poll, content, { actor, now: context.clock.now(), type: 'poll.restore' });
    return editedIn({ ...context, db: trx }, id);
  });
}

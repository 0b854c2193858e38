import { normalizePollTexts } from '#domain/poll-texts.ts';
import type { Config } from '#platform/config.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { createDraft, discardDraft, editedPoll, publishDraft, saveDraft } from './drafts.service.ts';
import type { EditorContext } from './drafts.service.ts';
import { setRecurrence } from './recurrences.service.ts';
import { deletePoll, unpublishPoll } from './removal.service.ts';
import { pollVersions, restorePoll } from './versions.service.ts';

/** The endpoints of the editor of weekly polls; `safeHtml` removes from an analysis what is not allowed. */
export function mountPollEditor(
  guarded: MountGuarded,
  context: EditorContext & {
    readonly config: Pick<Config, 'timeZone' | 'weeklySlots'>;
    readonly safeHtml: (html: string) => { readonly html: string };
  },
): void {
  const normalize = { normalize: normalizePollTexts };
  guarded('createDraft', ({ body, operator }) => createDraft(context, body, operator.name));
  guarded('editedPoll', ({ params }) => editedPoll(context, params.id));
  guarded(
    'saveDraft',
    ({ params, body, operator }) => {
      const { analysis } = body;
      const safe = typeof analysis === 'string' ? { ...body, analysis: context.safeHtml(analysis).html } : body;
      return saveDraft(context, params.id, safe, operator.name);
    },
    normalize,
  );
  guarded('discardDraft', async ({ params, query, operator }) => {
    await discardDraft(context, params.id, query.version, operator.name);
    return undefined;
  });
  guarded('publishDraft', async ({ params, body, operator }) => ({
    state: await publishDraft(context, params.id, body, operator.name),
  }));
  guarded('unpublishPoll', ({ params, operator }) => unpublishPoll(context, params.id, operator.name));
  guarded(
    'deletePoll',
    async ({ params, body, operator }) => {
      await deletePoll(context, params.id, body, operator.name);
      return undefined;
    },
    normalize,
  );
  guarded('setRecurrence', ({ params, body, operator }) => setRecurrence(context, params.id, body, operator.name));
  guarded('pollVersions', ({ params, query }) => pollVersions(context, params.id, query.before));
  guarded('restorePoll', ({ params, body, operator }) => restorePoll(context, params.id, body, operator.name));
}

import { useState } from 'react';
import type { ContentEntry } from '#api/content/content.contract.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { callAdmin } from '#site/admin/admin-session.ts';
import { FormDialog } from '#site/admin/AdminForm.tsx';
import { ActionButton } from '#site/admin/AdminList.tsx';
import { ApiError } from '#site/client/api.ts';
import { formatMoment } from '#site/ui/format.ts';
import { contentFieldLabel, contentTexts as texts } from '#texts/content-editor.ts';
import { pagePath } from './content-address.ts';
import type { EntryKey } from './content-address.ts';
import { showEntry } from './ContentLink.tsx';
import { fieldId } from './HeadFields.tsx';
import type { usePreview } from './Preview.tsx';
import type { SavedDraft } from './use-saved-draft.ts';

interface PublishActionsProps {
  readonly saved: SavedDraft;
  /** Prefix of the ids of the fields. */
  readonly fields: string;
  readonly preview: Pick<ReturnType<typeof usePreview>, 'problems' | 'isCurrent'>;
}

/** Publish, schedule, unpublish, and delete. */
export function PublishActions({ saved, preview: { problems, isCurrent }, fields }: PublishActionsProps) {
  const { entry, show } = saved;
  const [scheduling, setScheduling] = useState(false);
  const isPublished = entry.state === 'published';
  const isArticle = entry.folder === 'blog';

  /** Calls an endpoint with the text as it is now. */
  const saveFirst: ScheduleProps['saveFirst'] = async (call) => {
    const made = await saved.saveThen(({ folder, name, version }) => call({ folder, name }, version));
    // The editor shows why.
    if (made === null) throw new ApiError(0, texts.unsaved, { message: texts.unsaved });
    return made;
  };
  const showProblem = (field: string | null) => document.getElementById(fieldId(fields, field))?.focus();
  const [first] = problems;
  /** Whether the text can be published; if not, shows why. */
  const isPublishable = () => {
    if (!first || !isCurrent) return true;
    showProblem(first.field);
    return false;
  };
  const hasChanges = !isPublished || entry.isChanged || saved.state.kind !== 'saved';
  return (
    <>
      {first && (
        <p className="small">
          {texts.notYet}{' '}
          {problems.map(({ field }, index) => (
            <span key={field}>
              {index > 0 ? ', ' : ''}
              <a
                href={`#${fieldId(fields, field)}`}
                onClick={(event) => {
                  event.preventDefault();
                  showProblem(field);
                }}
              >
                {contentFieldLabel(field)}
              </a>
            </span>
          ))}
        </p>
      )}
      {entry.publishAt !== null && <p>{texts.scheduledFor(formatMoment(entry.publishAt))}</p>}
      <div className={adminStyles.actions}>
        <ActionButton
          className="button button--primary"
          label={isPublished ? texts.publishChanges : texts.publish}
          // Keeps the focus after publishing.
          disabled={!hasChanges}
          onPress={isPublishable}
          act={async () => {
            const published = await saveFirst((params, version) =>
              callAdmin('publishContent', { params, body: { version } }),
            );
            show(published);
            return texts.published(published.title);
          }}
        />
        <button
          type="button"
          className="button"
          disabled={!hasChanges}
          onClick={() => isPublishable() && setScheduling(true)}
        >
          {texts.schedule}
        </button>
        {entry.publishAt !== null && (
          <ActionButton
            className="button"
            label={texts.unschedule}
            act={async () => {
              show(await saveFirst(unpublish));
              return texts.unscheduled;
            }}
          />
        )}
        {isPublished && (
          <a className="button" href={pagePath(entry)} target="_blank" rel="noopener">
            {texts.view}
          </a>
        )}
        {isArticle && isPublished && entry.publishAt === null && (
          <ActionButton
            className="button"
            label={texts.unpublish.open}
            ask={texts.unpublish}
            act={async () => {
              show(await saveFirst(unpublish));
              return texts.unpublish.done;
            }}
          />
        )}
        {isArticle && (
          <ActionButton
            className="button"
            label={texts.remove.open}
            ask={{ ...texts.remove, dangerous: true }}
            act={async () => {
              await saved.call(({ folder, name, version }) =>
                callAdmin('deleteContent', { params: { folder, name }, body: { version } }),
              );
              saved.forget();
              showEntry(null);
              return texts.remove.done;
            }}
          />
        )}
      </div>
      {scheduling && <Schedule saveFirst={saveFirst} show={show} onClose={() => setScheduling(false)} />}
    </>
  );
}

const unpublish = (params: EntryKey, version: number) => callAdmin('unpublishContent', { params, body: { version } });

interface ScheduleProps {
  readonly saveFirst: (call: (params: EntryKey, version: number) => Promise<ContentEntry>) => Promise<ContentEntry>;
  readonly show: (entry: ContentEntry) => void;
  readonly onClose: () => void;
}

/** Asks when to publish. */
function Schedule({ saveFirst, show, onClose }: ScheduleProps) {
  return (
    <FormDialog
      title={texts.scheduleTitle}
      onClose={onClose}
      cancel={texts.cancel}
      text={texts.scheduleHint}
      fields={[{ name: 'at', label: texts.scheduleAt, moment: 'start', required: texts.noTime }]}
      submit={texts.scheduleConfirm}
      send={async (field) => {
        const at = field('at');
        show(await saveFirst((params, version) => callAdmin('publishContent', { params, body: { version, at } })));
        return texts.scheduled(formatMoment(at));
      }}
    />
  );
}

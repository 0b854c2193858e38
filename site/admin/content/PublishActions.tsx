import { useId, useState } from 'react';
import type { ContentEntry } from '#contract/content.ts';
import adminStyles from '#site/admin/Admin.module.css';
import { callAdmin, refreshAdmin, useAdminMutation, useDialogMutation } from '#site/admin/admin-session.ts';
import { DeskMoment } from '#site/admin/DeskMoment.tsx';
import { ApiError } from '#site/client/api.ts';
import { ConfirmDialog } from '#site/ui/Dialog.tsx';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { contentFieldLabel, contentTexts as texts } from '#texts/content-editor.ts';
import { pagePath } from './content-address.ts';
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
  const [open, setOpen] = useState<'schedule' | 'unpublish' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const isPublished = entry.state === 'published';
  const isArticle = entry.folder === 'blog';

  /** Calls an endpoint with the text as it is now. */
  const saveFirst = async <T,>(call: (current: ContentEntry) => Promise<T>): Promise<T> => {
    const made = await saved.saveThen(call);
    // The editor shows why.
    if (made === null) throw new ApiError(0, texts.unsaved, { message: texts.unsaved });
    return made;
  };
  const publish = useAdminMutation(
    () =>
      saveFirst(({ folder, name, version }) =>
        callAdmin('publishContent', { params: { folder, name }, body: { version } }),
      ),
    (published) => {
      show(published);
      toast(texts.published(published.title));
      void refreshAdmin();
    },
  );
  const unschedule = useAdminMutation(
    () =>
      saveFirst(({ folder, name, version }) =>
        callAdmin('unpublishContent', { params: { folder, name }, body: { version } }),
      ),
    (left) => {
      show(left);
      toast(texts.unscheduled);
      void refreshAdmin();
    },
  );
  const showProblem = (field: string | null) => document.getElementById(fieldId(fields, field))?.focus();
  const [first] = problems;
  /** Does what needs a text that can be published; otherwise shows why it can’t. */
  const ifPublishable = (act: () => void) => (first && isCurrent ? showProblem(first.field) : act());
  const pending = publish.isPending || unschedule.isPending;
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
        <button
          type="button"
          className="button button--primary"
          // Keeps the focus after publishing.
          aria-disabled={pending || !hasChanges}
          onClick={() => pending || !hasChanges || ifPublishable(publish.mutate)}
        >
          {isPublished ? texts.publishChanges : texts.publish}
        </button>
        <button
          type="button"
          className="button"
          disabled={!hasChanges}
          onClick={() => ifPublishable(() => setOpen('schedule'))}
        >
          {texts.schedule}
        </button>
        {entry.publishAt !== null && (
          <button
            type="button"
            className="button"
            aria-disabled={pending}
            onClick={() => pending || unschedule.mutate()}
          >
            {texts.unschedule}
          </button>
        )}
        {isPublished && (
          <a className="button" href={pagePath(entry)} target="_blank" rel="noopener">
            {texts.view}
          </a>
        )}
        {isArticle && isPublished && entry.publishAt === null && (
          <button type="button" className="button" onClick={() => setOpen('unpublish')}>
            {texts.unpublish.open}
          </button>
        )}
        {isArticle && (
          <button type="button" className="button" onClick={() => setOpen('remove')}>
            {texts.remove.open}
          </button>
        )}
      </div>
      {open === 'schedule' && <Schedule saveFirst={saveFirst} show={show} onClose={close} />}
      {open === 'unpublish' && <Unpublish saveFirst={saveFirst} show={show} onClose={close} />}
      {open === 'remove' && <Remove saved={saved} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly saveFirst: <T>(call: (current: ContentEntry) => Promise<T>) => Promise<T>;
  readonly show: (entry: ContentEntry) => void;
  readonly onClose: () => void;
}

/** Asks when to publish. */
function Schedule({ saveFirst, show, onClose }: DialogProps) {
  const id = useId();
  const [at, setAt] = useState<string | null>(null);
  const { mutate, pending, problem } = useDialogMutation(async (at: string) => {
    show(
      await saveFirst(({ folder, name, version }) =>
        callAdmin('publishContent', { params: { folder, name }, body: { version, at } }),
      ),
    );
    return texts.scheduled(formatMoment(at));
  }, onClose);
  return (
    <ConfirmDialog
      {...{ pending, problem, onClose }}
      title={texts.scheduleTitle}
      text={texts.scheduleHint}
      confirm={texts.scheduleConfirm}
      cancel={texts.cancel}
      disabled={at === null}
      onConfirm={() => at !== null && mutate(at)}
    >
      <DeskMoment id={id} label={texts.scheduleAt} value={at} isEnd={false} onChange={setAt} />
    </ConfirmDialog>
  );
}

/** Asks before an article leaves the site. */
function Unpublish({ saveFirst, show, onClose }: DialogProps) {
  const { title, text, confirm, cancel, done } = texts.unpublish;
  const { mutate, pending, problem } = useDialogMutation(async () => {
    show(
      await saveFirst(({ folder, name, version }) =>
        callAdmin('unpublishContent', { params: { folder, name }, body: { version } }),
      ),
    );
    return done;
  }, onClose);
  return <ConfirmDialog {...{ title, text, confirm, cancel, pending, problem, onClose }} onConfirm={() => mutate()} />;
}

/** Asks before an article is deleted for good. */
function Remove({ saved, onClose }: { readonly saved: SavedDraft; readonly onClose: () => void }) {
  const { title, text, confirm, cancel, done } = texts.remove;
  const { mutate, pending, problem } = useDialogMutation(async () => {
    await saved.call(({ folder, name, version }) =>
      callAdmin('deleteContent', { params: { folder, name }, body: { version } }),
    );
    saved.forget();
    showEntry(null);
    return done;
  }, onClose);
  return (
    <ConfirmDialog
      {...{ title, text, confirm, cancel, pending, problem, onClose }}
      dangerous
      onConfirm={() => mutate()}
    />
  );
}

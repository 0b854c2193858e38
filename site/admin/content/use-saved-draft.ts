import type { ContentDraft, ContentEntry } from '#api/content/content.contract.ts';
import { adminErrorMessage, callAdmin } from '#site/admin/admin-session.ts';
import { adminDraft, DraftSaver, useDraft } from '#site/admin/draft-saver.ts';
import type { DraftState } from '#site/admin/draft-saver.ts';
import { ApiError } from '#site/client/api.ts';
import type { StoredDraft } from '#site/client/stored-draft.ts';
import { formatMoment } from '#site/ui/format.ts';
import { toast } from '#site/ui/toasts.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';
import type { EntryKey } from './content-address.ts';

interface SaveState {
  readonly kind: DraftState<ContentEntry, ContentDraft>['status'];
  /** Why it is not saved. */
  readonly message: string;
  /** Somebody else has deleted the entry. */
  readonly isGone: boolean;
}

export interface SavedDraft {
  /** As it was saved last. */
  readonly entry: ContentEntry;
  readonly draft: ContentDraft;
  readonly state: SaveState;
  /** Changes the draft, which is saved a moment later. */
  readonly change: (draft: ContentDraft) => void;
  /** Saves the draft now; the entry as saved, or null if that failed. */
  readonly save: () => Promise<ContentEntry | null>;
  /** Saves the draft, then gives the entry a new name; null if the draft can’t be saved. Throws if the name is refused. */
  readonly rename: (name: string) => Promise<ContentEntry | null>;
  /** Shows another state of the entry, in place of the draft. */
  readonly show: (entry: ContentEntry) => void;
  /** Makes a call about the entry as it was saved last; after CONFLICT, shows what is saved now. */
  readonly call: <T>(make: (current: ContentEntry) => Promise<T>) => Promise<T>;
  /** Saves the draft now, then makes such a call; null if the draft can’t be saved. */
  readonly saveThen: <T>(make: (current: ContentEntry) => Promise<T>) => Promise<T | null>;
  /** After the entry is deleted: what is not saved won’t be saved or kept. Shows a new entry, if there is one. */
  readonly forget: (made?: ContentEntry) => void;
  /** After a conflict, where both have changed: takes what the other operator saved, or keeps the draft. */
  readonly resolve: (keep: boolean) => void;
}

export const saveEntry = (
  { folder, name, head, text, version }: ContentEntry,
  changes: Partial<ContentDraft> & { name?: string },
) => callAdmin('saveContent', { params: { folder, name }, body: { version, head, text, ...changes } });

const saverOf = (read: ContentEntry) =>
  new DraftSaver<ContentEntry, ContentDraft>(read, {
    contentOf: ({ head, text }) => ({ head, text }),
    save: saveEntry,
    load: ({ folder, name }) => callAdmin('contentEntry', { params: { folder, name } }),
    onMerged: ({ updatedBy }) => toast(texts.merged(updatedBy)),
    kept: draftEntry(read),
  });

/** What was typed in an entry in this tab, and could not be saved. */
export const draftEntry = ({ folder, name }: EntryKey): StoredDraft => adminDraft(`${folder}-${name}`);

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** A draft that is saved while it is typed. Nothing that was typed is lost, except by choosing the other one’s after a conflict. */
export function useSavedDraft(read: ContentEntry): SavedDraft {
  const [{ stored, content, status, error, theirs, isRestored }, saver] = useDraft(
    () => saverOf(read),
    ({ stored: { title }, error }) => toast(isGone(error) ? texts.gone.kept(title) : texts.kept(title)),
  );
  const message =
    theirs === null
      ? adminErrorMessage(error)
      : texts.conflict[isRestored ? 'before' : 'changed'](theirs.updatedBy, formatMoment(theirs.updatedAt));
  return {
    ...{ entry: stored, draft: content },
    state: { kind: status, message, isGone: isGone(error) },
    change: (draft) => saver.change(draft),
    save: async () => ((await saver.flush()) ? saver.state().stored : null),
    async rename(name) {
      if (!(await saver.flush())) return null;
      await saver.call(async (entry) => saver.show(await saveEntry(entry, { name })));
      return saver.state().stored;
    },
    show: (entry) => saver.show(entry),
    call: (make) => saver.call(make),
    saveThen: async (make) => ((await saver.flush()) ? saver.call(make) : null),
    forget: (made = stored) => saver.reset(made),
    resolve: (keep) => saver.resolve(keep ? 'mine' : 'theirs'),
  };
}

/** What the state of saving says. */
export function saveText({ kind, message }: SaveState): string {
  switch (kind) {
    case 'saved':
      return texts.savedNow;
    case 'unsaved':
      return texts.unsaved;
    case 'saving':
      return texts.saving;
    default:
      return texts.saveFailed(message);
  }
}

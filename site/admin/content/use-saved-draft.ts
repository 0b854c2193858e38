import { useCallback, useEffect, useRef, useState } from 'react';
import type { ContentDraft, ContentEntry } from '#contract/content.ts';
import { adminErrorMessage, callAdmin } from '#site/admin/admin-session.ts';
import { ApiError } from '#site/client/api.ts';
import { contentTexts as texts } from '#texts/content-editor.ts';

/** Milliseconds without typing after which a draft is saved. */
const saveAfterMs = 1_500;

type SaveState =
  { readonly kind: 'saved' | 'typing' | 'saving' } | { readonly kind: 'failed' | 'conflict'; readonly message: string };

export interface SavedDraft {
  /** As it was saved last. */
  readonly entry: ContentEntry;
  readonly draft: ContentDraft;
  readonly state: SaveState;
  /** Changes the draft, which is saved a moment later. */
  readonly change: (draft: ContentDraft) => void;
  /** Saves the draft now, with a new name if one is given; the entry as saved, or null if that failed. */
  readonly save: (name?: string) => Promise<ContentEntry | null>;
  /** Shows another state of the entry, in place of the draft. */
  readonly show: (entry: ContentEntry) => void;
  /** After a conflict: takes what the other operator saved, or saves the draft over it. */
  readonly resolve: (keep: boolean) => Promise<void>;
}

/** A draft that is saved while it is typed. Nothing that was typed is lost, except by choosing the other one’s after a conflict. */
export function useSavedDraft(read: ContentEntry): SavedDraft {
  const [entry, setEntry] = useState(read);
  const [draft, setDraft] = useState<ContentDraft>({ head: read.head, text: read.text });
  const [state, setState] = useState<SaveState>({ kind: 'saved' });
  // What an event handler or timer needs from after the last render.
  const latest = useRef({ entry, draft, isDirty: false, isConflict: false });
  const isSaving = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const queue = useRef<Promise<unknown>>(Promise.resolve());

  const show = useCallback((next: ContentEntry) => {
    clearTimeout(timer.current);
    const shown = { head: next.head, text: next.text };
    latest.current = { entry: next, draft: shown, isDirty: false, isConflict: false };
    setEntry(next);
    setDraft(shown);
    setState({ kind: 'saved' });
  }, []);

  const send = useCallback(async (name?: string, over?: number): Promise<ContentEntry | null> => {
    clearTimeout(timer.current);
    const { entry: from, draft: sent, isDirty, isConflict } = latest.current;
    if (!isDirty && name === undefined && over === undefined) return from;
    if (isConflict && over === undefined) return null;
    latest.current.isDirty = false;
    isSaving.current = true;
    setState({ kind: 'saving' });
    try {
      const params = { folder: from.folder, name: from.name };
      const body = { ...sent, version: over ?? from.version, ...(name !== undefined && { name }) };
      const saved = await callAdmin('saveContent', { params, body });
      latest.current = { ...latest.current, entry: saved, isConflict: false };
      setEntry(saved);
      setState({ kind: latest.current.isDirty ? 'typing' : 'saved' });
      return saved;
    } catch (error) {
      const isOthers = error instanceof ApiError && error.code === 'CONFLICT' && name === undefined;
      latest.current = { ...latest.current, isDirty: true, isConflict: isOthers };
      setState({ kind: isOthers ? 'conflict' : 'failed', message: adminErrorMessage(error) });
      return null;
    } finally {
      isSaving.current = false;
    }
  }, []);

  // One save after the other: each needs the version that the one before it made.
  const save = useCallback(
    (name?: string, over?: number) => {
      const next = queue.current.then(() => send(name, over));
      queue.current = next;
      return next;
    },
    [send],
  );

  const change = useCallback(
    (next: ContentDraft) => {
      latest.current = { ...latest.current, draft: next, isDirty: true };
      setDraft(next);
      if (latest.current.isConflict) return;
      setState({ kind: 'typing' });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), saveAfterMs);
    },
    [save],
  );

  const resolve = useCallback(
    async (keep: boolean) => {
      const { folder, name } = latest.current.entry;
      try {
        const theirs = await callAdmin('contentEntry', { params: { folder, name } });
        if (keep) await save(undefined, theirs.version);
        else show(theirs);
      } catch (error) {
        setState({ kind: 'conflict', message: adminErrorMessage(error) });
      }
    },
    [save, show],
  );

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.isDirty || isSaving.current) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      // Another view of the page is shown.
      if (!latest.current.isConflict) void save();
    };
  }, [save]);

  return { entry, draft, state, change, save, show, resolve };
}

/** What the state of saving says. */
export function saveText(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return texts.savedNow;
    case 'typing':
      return texts.unsaved;
    case 'saving':
      return texts.saving;
    default:
      return texts.saveFailed(state.message);
  }
}

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { changesIn, clashesIn, pick } from '#domain/field-changes.ts';
import { ApiError } from '#site/client/api.ts';
import { storedDraft } from '#site/client/stored-draft.ts';
import type { StoredDraft } from '#site/client/stored-draft.ts';
import { useLeaveGuard } from '#site/client/use-form-values.ts';
import { adminUser } from './admin-session.ts';

/** Milliseconds between the last change and its saving, and between a failure and the next attempt. */
const saveDelayMs = 1_000;
const retryDelayMs = 10_000;

/** What an editor shows of a draft: `S` is what the server stores of it, `C` the fields of the form. */
export interface DraftState<S, C> {
  /** As last saved or read. */
  readonly stored: S;
  /** What is in the form. */
  readonly content: C;
  readonly status: 'saved' | 'unsaved' | 'saving' | 'invalid' | 'failed' | 'conflict';
  /** Why it is not saved. */
  readonly error: unknown;
  /** In a conflict: what somebody else has saved, and the fields that differ. */
  readonly theirs: S | null;
  readonly overlap: readonly (keyof C)[];
  /** Grows when fields change that were not typed here. */
  readonly replaced: number;
  /** The form has text that was typed earlier in this tab, and could not be saved then. */
  readonly isRestored: boolean;
}

export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'CONFLICT';

/** Where drafts of one kind are stored. */
export interface DraftStore<S, C> {
  contentOf(stored: S): C;
  /** Whether a form can be saved; if not, nothing is sent until it is corrected. */
  isValid?(content: C): boolean;
  /** Saves changes of what is stored; CONFLICT when somebody else has saved it. */
  save(stored: S, changes: Partial<C>): Promise<S>;
  load(stored: S): Promise<S>;
  /** Fields of a saved draft that have another value than was sent. */
  notTaken?(saved: S): readonly (keyof C)[];
  /** Somebody else has saved other fields; both changes are kept. */
  onMerged(theirs: S): void;
  /** Keeps what is not saved when the editor is left. */
  readonly kept: StoredDraft;
}

/** The draft with a name, of who uses the admin pages now, also after the session has ended. */
export const adminDraft = (name: string): StoredDraft => storedDraft(`admin-${adminUser.get()?.name}-${name}`);

/** Changes that could not be saved. */
export interface UnsavedDraft<C> {
  /** What the changes were made in. */
  readonly base: C;
  readonly changes: Partial<C>;
}

/**
 * Saves the changes of a form a moment after the last one, one request at a time, and merges those of other operators.
 * What is not saved is kept in the tab, and merged into the form when it is opened again.
 */
export class DraftSaver<S, C extends object> {
  readonly #store: DraftStore<S, C>;
  readonly #listeners = new Set<() => void>();
  readonly #fields: readonly (keyof C & string)[];
  #state: DraftState<S, C>;
  /** The content of the form when it was last saved or read. */
  #saved: C;
  /** What was stored then, which differs from it in what the server has tidied. */
  #base: C;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> | null = null;

  constructor(stored: S, store: DraftStore<S, C>) {
    this.#store = store;
    const content = store.contentOf(stored);
    this.#saved = this.#base = content;
    this.#fields = Object.keys(content) as (keyof C & string)[];
    const shown = { status: 'saved', error: null, theirs: null, overlap: [], replaced: 0, isRestored: false } as const;
    this.#state = { stored, content, ...shown };
    const kept = store.kept.read() as UnsavedDraft<C> | null;
    if (kept === null) return;
    const base = { ...content, ...kept.base };
    this.#saved = this.#base = base;
    this.#state = { ...this.#state, content: { ...base, ...kept.changes } };
    this.#merge(stored);
    this.#state = { ...this.#state, isRestored: this.#isDirty() };
    this.#schedule(0);
  }

  readonly state = (): DraftState<S, C> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Takes changes of the form. */
  change(part: Partial<C>): void {
    const { status, theirs, overlap } = this.#state;
    const content = { ...this.#state.content, ...part };
    this.#set({ content, ...(status !== 'conflict' && status !== 'saving' && { status: 'unsaved' }) });
    if (theirs !== null) {
      const clashes = clashesIn(this.#changed(), this.#base, content, this.#store.contentOf(theirs));
      // Without one, both texts are the same, and either button keeps it.
      this.#set({ overlap: clashes.length > 0 ? clashes : overlap });
    }
    this.#keep();
    this.#schedule(saveDelayMs);
  }

  /** Saves what is not saved yet; false if that failed or conflicts. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    await this.#running;
    while (this.#state.status !== 'saved' && this.#state.status !== 'conflict') {
      await this.#save();
      if (this.#state.status === 'failed' || this.#state.status === 'invalid') return false;
    }
    return this.#state.status === 'saved';
  }

  /** Makes a call about what is stored, and saves nothing meanwhile. After CONFLICT it can be repeated with what is stored then. */
  async call<T>(make: (stored: S) => Promise<T>): Promise<T> {
    await this.#running;
    const { stored } = this.#state;
    const made = make(stored)
      .catch(async (error: unknown) => {
        if (isConflict(error))
          await this.#store.load(stored).then(
            (newest) => this.#merge(newest),
            // The operator is told about the first error.
            () => undefined,
          );
        throw error;
      })
      .finally(() => {
        this.#running = null;
        if (this.#isDirty()) this.#schedule(saveDelayMs);
      });
    this.#running = made.catch(() => undefined);
    return made;
  }

  /** Takes over what is stored now; what was typed since the last save stays. */
  show(stored: S): void {
    if (this.#merge(stored)) this.#schedule(0);
  }

  /** Ends a conflict: in the fields that overlap, with what is in the form, or with what somebody else has saved. */
  resolve(which: 'mine' | 'theirs'): void {
    const { theirs, content, overlap, replaced } = this.#state;
    if (theirs === null) return;
    const mine = this.#changed().filter((field) => which === 'mine' || !overlap.includes(field));
    this.#saved = this.#base = this.#store.contentOf(theirs);
    this.#set({
      ...{ stored: theirs, theirs: null, overlap: [], status: 'unsaved', error: null },
      ...{ content: { ...this.#saved, ...pick(content, mine) }, replaced: replaced + 1 },
    });
    this.#keep();
    this.#schedule(0);
  }

  /** Forgets what is not saved, and shows what is stored. */
  reset(stored: S): void {
    clearTimeout(this.#timer);
    this.#saved = this.#base = this.#store.contentOf(stored);
    const shown = { status: 'saved', error: null, theirs: null, overlap: [], isRestored: false } as const;
    this.#set({ stored, content: this.#saved, ...shown, replaced: this.#state.replaced + 1 });
    this.#keep();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #changed(): (keyof C & string)[] {
    return changesIn(this.#fields, this.#saved, this.#state.content);
  }

  #isDirty(): boolean {
    return this.#changed().length > 0;
  }

  #keep(): void {
    const changes = pick(this.#state.content, this.#changed());
    if (this.#isDirty()) this.#store.kept.keep({ base: this.#base, changes } satisfies UnsavedDraft<C>);
    else this.#store.kept.drop();
  }

  #set(part: Partial<DraftState<S, C>>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#state.status !== 'conflict') this.#timer = setTimeout(() => void this.#save(), ms);
  }

  async #save(): Promise<void> {
    // The one that is running continues with what was changed since.
    if (this.#running) {
      await this.#running;
      return;
    }
    this.#running = this.#saveOnce().finally(() => {
      this.#running = null;
    });
    await this.#running;
    if (this.#state.status === 'unsaved') this.#schedule(saveDelayMs);
    else if (this.#state.status === 'failed') this.#schedule(retryDelayMs);
  }

  async #saveOnce(): Promise<void> {
    const { content: sent, stored } = this.#state;
    const changes = pick(sent, this.#changed());
    if (!this.#isDirty()) {
      this.#set({ status: 'saved', error: null, isRestored: false });
      this.#keep();
      return;
    }
    if (this.#store.isValid?.(sent) === false) {
      this.#set({ status: 'invalid', error: null });
      return;
    }
    this.#set({ status: 'saving' });
    try {
      const saved = await this.#store.save(stored, changes);
      const notTaken = (this.#store.notTaken?.(saved) ?? []).filter((field) => field in changes);
      this.#base = this.#store.contentOf(saved);
      const kept = pick(this.#base, notTaken);
      this.#saved = { ...sent, ...kept };
      const { content, replaced } = this.#state;
      if (notTaken.length > 0) this.#set({ content: { ...content, ...kept }, replaced: replaced + 1 });
      const status = this.#isDirty() ? 'unsaved' : 'saved';
      this.#set({ stored: saved, error: null, status, isRestored: false });
      this.#keep();
    } catch (error) {
      if (!isConflict(error)) this.#set({ status: 'failed', error });
      else
        try {
          const theirs = await this.#store.load(stored);
          const isChanged = changesIn(this.#fields, this.#base, this.#store.contentOf(theirs)).length > 0;
          if (this.#merge(theirs, error) && isChanged) this.#store.onMerged(theirs);
        } catch (failure) {
          this.#set({ status: 'failed', error: failure });
        }
    }
  }

  /** Brings what is stored now into the form; false if that is a conflict. */
  #merge(theirs: S, error: unknown = null): boolean {
    const { content, replaced } = this.#state;
    const stored = this.#store.contentOf(theirs);
    // What is saved differs from `#base` where the server has tidied it.
    const overlap = clashesIn(this.#changed(), this.#base, content, stored);
    if (overlap.length > 0) {
      this.#set({ status: 'conflict', theirs, overlap, error });
      return false;
    }
    const merged = { ...stored, ...pick(content, this.#changed()) };
    this.#saved = this.#base = stored;
    const status = changesIn(this.#fields, stored, merged).length > 0 ? 'unsaved' : 'saved';
    this.#set({ stored: theirs, content: merged, status, error: null, replaced: replaced + 1 });
    this.#keep();
    return true;
  }
}

/** What a saver has to show; on leaving the editor it saves, and `onUnsaved` is called when that isn’t possible. */
export function useDraft<S, C extends object>(
  create: () => DraftSaver<S, C>,
  onUnsaved: (state: DraftState<S, C>) => void,
): readonly [DraftState<S, C>, DraftSaver<S, C>] {
  const [saver] = useState(create);
  const state = useSyncExternalStore(saver.subscribe, saver.state, saver.state);
  const unsaved = useRef(onUnsaved);
  useLeaveGuard(() => saver.state().status !== 'saved');
  useEffect(
    () => () => {
      void saver.flush().then((isSaved) => {
        saver.stop();
        if (!isSaved) unsaved.current(saver.state());
      });
    },
    [saver],
  );
  return [state, saver];
}

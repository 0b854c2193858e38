import type { BodyOf } from '#contract/endpoints.ts';
import type { ContentField, EditedPoll, PollContent } from '#contract/poll-editor.ts';
import { changedFields, overlappingFields, pick } from '#domain/poll-draft.ts';

/** Milliseconds between the last change and its saving, and between a failure and the next attempt. */
const saveDelayMs = 1_000;
const retryDelayMs = 10_000;

/** What the editor shows of its draft. */
export interface DraftState {
  /** As last saved or read. */
  readonly poll: EditedPoll;
  /** What is in the form. */
  readonly content: PollContent;
  readonly status: 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict';
  /** Why saving failed. */
  readonly error: unknown;
  /** In a conflict: what somebody else has saved, and the fields that differ. */
  readonly theirs: EditedPoll | null;
  readonly overlap: readonly ContentField[];
  /** Grows when fields change that were not typed here. */
  readonly replaced: number;
  /** Parts of the analysis that are not allowed were left out. */
  readonly isCleaned: boolean;
}

interface DraftCalls {
  save(body: BodyOf<'saveDraft'>): Promise<EditedPoll>;
  load(): Promise<EditedPoll>;
  /** Whether an error says that somebody else has saved the draft. */
  isConflict(error: unknown): boolean;
  /** Somebody else has saved other fields; both changes are kept. */
  onMerged(theirs: EditedPoll): void;
}

/** Saves the changes of a form a moment after the last one, one request at a time, and merges those of other operators. */
export class DraftSaver {
  readonly #calls: DraftCalls;
  readonly #listeners = new Set<() => void>();
  #state: DraftState;
  /** The content of the form when it was last saved or read. */
  #saved: PollContent;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;

  constructor(poll: EditedPoll, calls: DraftCalls) {
    this.#calls = calls;
    this.#saved = poll.content;
    const shown = { status: 'saved', error: null, theirs: null, overlap: [], replaced: 0, isCleaned: false } as const;
    this.#state = { poll, content: poll.content, ...shown };
  }

  readonly state = (): DraftState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Takes changes of the form. */
  change(part: Partial<PollContent>): void {
    const { status } = this.#state;
    this.#set({
      content: { ...this.#state.content, ...part },
      ...(status !== 'conflict' && status !== 'saving' && { status: 'unsaved' }),
    });
    if (status !== 'conflict') this.#schedule(saveDelayMs);
  }

  /** Saves what is not saved yet; false if that failed or conflicts. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    await this.#running;
    while (this.#isDirty() && this.#state.status !== 'conflict') {
      await this.#save();
      if (this.#state.status === 'failed') return false;
    }
    return this.#state.status === 'saved';
  }

  /** Ends a conflict: in the fields that overlap, with what is in the form, or with what somebody else has saved. */
  resolve(which: 'mine' | 'theirs'): void {
    const { theirs, content, overlap, replaced } = this.#state;
    if (theirs === null) return;
    const mine = changedFields(this.#saved, content).filter((field) => which === 'mine' || !overlap.includes(field));
    this.#saved = theirs.content;
    this.#set({
      ...{ poll: theirs, theirs: null, overlap: [], status: 'unsaved' },
      ...{ content: { ...theirs.content, ...pick(content, mine) }, replaced: replaced + 1 },
    });
    this.#schedule(0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #isDirty(): boolean {
    return changedFields(this.#saved, this.#state.content).length > 0;
  }

  #set(part: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), ms);
  }

  async #save(): Promise<void> {
    // The one that is running continues with what was changed since.
    if (this.#running) return this.#running;
    this.#running = this.#saveOnce().finally(() => {
      this.#running = null;
    });
    await this.#running;
    if (this.#state.status === 'unsaved') this.#schedule(saveDelayMs);
    else if (this.#state.status === 'failed') this.#schedule(retryDelayMs);
  }

  async #saveOnce(): Promise<void> {
    const { content: sent, poll } = this.#state;
    const fields = changedFields(this.#saved, sent);
    if (fields.length === 0) {
      this.#set({ status: 'saved' });
      return;
    }
    this.#set({ status: 'saving' });
    try {
      const saved = await this.#calls.save({ version: poll.version, ...pick(sent, fields) });
      // Since it was typed, the poll has opened, closed, or got votes.
      const dropped = saved.dropped.filter((field) => fields.includes(field));
      const stored = pick(saved.content, dropped);
      this.#saved = { ...sent, ...stored };
      const { content, replaced } = this.#state;
      if (dropped.length > 0) this.#set({ content: { ...content, ...stored }, replaced: replaced + 1 });
      const isCleaned = fields.includes('analysis')
        ? (saved.content.analysis ?? '').length < (sent.analysis ?? '').trim().length
        : this.#state.isCleaned;
      this.#set({ poll: saved, isCleaned, error: null, status: this.#isDirty() ? 'unsaved' : 'saved' });
    } catch (error) {
      if (this.#calls.isConflict(error)) await this.#merge();
      else this.#set({ status: 'failed', error });
    }
  }

  async #merge(): Promise<void> {
    try {
      const theirs = await this.#calls.load();
      const { poll, content, replaced } = this.#state;
      const overlap = overlappingFields(poll.content, content, theirs.content);
      if (overlap.length > 0) {
        this.#set({ status: 'conflict', theirs, overlap });
        return;
      }
      const mine = pick(content, changedFields(this.#saved, content));
      this.#saved = theirs.content;
      this.#set({
        ...{ poll: theirs, content: { ...theirs.content, ...mine }, status: 'unsaved', replaced: replaced + 1 },
      });
      this.#calls.onMerged(theirs);
    } catch (error) {
      this.#set({ status: 'failed', error });
    }
  }
}

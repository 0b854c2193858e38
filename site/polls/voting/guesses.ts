import type { GuessAccuracy } from '#api/polls/guesses/guesses.contract.ts';
import { storedChanges } from '#site/client/stored-changes.ts';

const storageKey = 'weathervane-guesses';
const changes = storedChanges(storageKey);

/** A guess that was made in this browser, and the result at that time, in whole percent. */
export interface MadeGuess {
  /** Id of the poll. */
  readonly poll: string;
  readonly question: string;
  /** Path of the poll’s page. */
  readonly path: string;
  readonly option: string;
  readonly percent: number;
  readonly share: number;
}

/** Whether this visitor guesses results before seeing them, and how well: kept on the device. */
export interface Guessing extends GuessAccuracy {
  readonly on: boolean;
  /** Newest first; guesses of earlier releases are only counted. */
  readonly made: readonly MadeGuess[];
}

const none: Guessing = { on: false, guesses: 0, points: 0, made: [] };
// Also kept in memory, for browsers that block storage.
let current: { readonly text: string | null; readonly value: Guessing } = { text: null, value: none };

/** What the device has stored: a stable snapshot; the defaults without storage. */
export function guessing(): Guessing {
  try {
    const text = localStorage.getItem(storageKey);
    if (text !== current.text) current = { text, value: parsed(text) };
  } catch {
    // The storage is blocked.
  }
  return current.value;
}

function parsed(text: string | null): Guessing {
  try {
    const { on, guesses, points, made } = JSON.parse(text ?? '{}') as Partial<Record<keyof Guessing, unknown>>;
    const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
    const figures = isCount(guesses) && isCount(points) ? { guesses, points, made: [made ?? []].flat() } : {};
    return { ...none, ...(figures as Partial<Guessing>), on: on === true };
  } catch {
    return none;
  }
}

/** Stores what changed. */
export function storeGuessing(change: Partial<Guessing>): void {
  const value = { ...guessing(), ...change };
  current = { text: JSON.stringify(value), value };
  try {
    localStorage.setItem(storageKey, JSON.stringify(value));
  } catch {
    // Storage is full or blocked: the setting lasts until the visitor leaves the page.
    current = { text: null, value };
  }
  changes.report();
}

/** Calls `onChange` on changes in this tab or another; returns an unsubscribe function. */
export const watchGuessing = changes.watch;

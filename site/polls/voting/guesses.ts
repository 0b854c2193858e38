import type { GuessAccuracy } from '#api/polls/guesses/guesses.contract.ts';
import { storedChanges } from '#site/client/stored-changes.ts';

const storageKey = 'weathervane-guesses';
const changes = storedChanges(storageKey);

/** Whether this visitor guesses results before seeing them, and how well: kept on the device. */
export interface Guessing extends GuessAccuracy {
  readonly on: boolean;
}

const none: Guessing = { on: false, guesses: 0, points: 0 };
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
    const { on, guesses, points } = JSON.parse(text ?? '{}') as Partial<Record<keyof Guessing, unknown>>;
    const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
    return {
      on: on === true,
      ...(isCount(guesses) && isCount(points) ? { guesses, points } : { guesses: 0, points: 0 }),
    };
  } catch {
    return none;
  }
}

function store(value: Guessing): void {
  current = { text: JSON.stringify(value), value };
  try {
    localStorage.setItem(storageKey, JSON.stringify(value));
  } catch {
    // Storage is full or blocked: the setting lasts until the visitor leaves the page.
    current = { text: null, value };
  }
  changes.report();
}

/** Turns guessing before results on or off on this device. */
export const setGuessing = (on: boolean): void => store({ ...guessing(), on });

/** Adds a guess that was off by so many points. */
export function addGuess(points: number): void {
  const before = guessing();
  store({ ...before, guesses: before.guesses + 1, points: before.points + points });
}

/** Calls `onChange` on changes in this tab or another; returns an unsubscribe function. */
export const watchGuessing = changes.watch;

import * as limits from '#contract/limits.ts';
import { closedMoment } from '#domain/poll-lifecycle.ts';
import type { PlannedOption, PlannedPoll, StoredBallot, StoredPoll } from './poll-plan.ts';

/** A poll as it was before an import: there is always one, unlike of ballots in general. */
export type FormerPoll = StoredBallot & { readonly poll: StoredPoll; readonly endsAt: number };

/**
 * What has to be done so that a poll is again what it was before an import, with the votes that were cast here on top.
 * An option that the import added stays, without its imported votes, when somebody voted for it.
 */
export function planUndo(former: FormerPoll, current: StoredBallot, now: number): PlannedPoll {
  const known = new Map(current.options.map((option) => [option.id, option]));
  const added = current.options.filter(({ id }) => !former.options.some((option) => option.id === id));
  const loved = added.filter(({ votes, baseVotes }) => votes > baseVotes);
  const removed = added.filter((option) => !loved.includes(option));
  const options = [
    ...former.options.map((option): PlannedOption => {
      const { id, position, offered, text, baseVotes } = option;
      const baseChange = baseVotes - (known.get(id)?.baseVotes ?? 0);
      return { id, isNew: !known.has(id), position, offered, text, baseChange };
    }),
    ...loved.map(({ id, text, baseVotes }, place): PlannedOption => {
      const position = former.options.length + place;
      return { id, isNew: false, position, offered: position < limits.offeredOptions, text, baseChange: -baseVotes };
    }),
  ];
  const removedBase = removed.reduce((sum, { baseVotes }) => sum + baseVotes, 0);
  // What would have ended by itself meanwhile is not open again.
  const closedAt = closedMoment(former, now);
  return {
    ...former.poll,
    id: former.id,
    category: former.category,
    startsAt: former.startsAt,
    endsAt: former.endsAt,
    closedAt,
    isActive: former.isActive && closedAt === null,
    options,
    removedOptions: removed.map(({ id }) => id),
    baseChange: options.reduce((sum, { baseChange }) => sum + baseChange, -removedBase),
  };
}

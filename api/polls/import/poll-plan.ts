import type { PollProtection } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import type { ImportError } from './poll-import.contract.ts';
import type { CountryShare, Provenance } from '#api/polls/polls.contract.ts';
import type { ImportedBallot, ImportedOption } from '#api/voting/bulk-ballots.service.ts';
import { optionKey, repeatedOptions } from '#domain/option-key.ts';
import { tidyProvenance } from '#domain/origin.ts';
import { closedMoment, phaseOf } from '#domain/poll-lifecycle.ts';
import { importRowTexts } from '#texts/poll-import.ts';
import { rowError } from './import-problem.ts';
import type { StatedOption, StatedPoll, StatedTime } from './poll-row.ts';

/** A stored ballot; `poll` is null if it belongs to a community poll. */
export interface StoredBallot {
  readonly id: string;
  readonly isActive: boolean;
  readonly category: string | null;
  readonly publishBallots: boolean;
  readonly protection: PollProtection;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt: number | null;
  readonly options: readonly StoredOption[];
  readonly poll: StoredPoll | null;
}

export interface StoredOption {
  readonly id: string;
  readonly position: number;
  readonly offered: boolean;
  readonly text: string;
  readonly baseVotes: number;
  /** Base votes plus votes cast here that count. */
  readonly votes: number;
  /** Votes cast here that were set aside. */
  readonly setAside: number;
  /** Of an answer that a voter wrote: when it could be chosen, in milliseconds. */
  readonly addedAt?: number;
  /** The ids of written answers whose votes it has, too. */
  readonly merged?: readonly string[];
}

interface StoredPoll {
  readonly question: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly series: string | null;
  readonly author: string | null;
  readonly summary: string | null;
  readonly analysis: string | null;
  readonly methodologyNotes: string | null;
  readonly countryBreakdown: readonly CountryShare[];
  readonly seriesNote: string | null;
  readonly provenance: Provenance;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** A demo poll that no import has replaced. */
  readonly demonstration: boolean;
}

/** Whether people voted for an option here; votes that were set aside can count again. */
export const isVotedFor = ({ votes, setAside, baseVotes }: StoredOption): boolean => votes + setAside > baseVotes;

/** A poll as it will be stored. */
export interface PlannedPoll extends StoredPoll, ImportedBallot {}

export type Plan =
  | { readonly kind: 'insert' | 'update'; readonly poll: PlannedPoll; readonly before: StoredBallot | null }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'reject'; readonly error: ImportError };

/**
 * The changes that make the stored poll match the file; `now` is the time of the import. `isDeleted`: an operator has deleted
 * a poll with this id.
 */
export function planPoll(given: StatedPoll, stored: StoredBallot | undefined, now: number, isDeleted = false): Plan {
  const stated = withStoredTimes(given, stored);
  if (isDeleted) return reject(rowError(stated.line, 'id', stated.id, 'id_deleted', importRowTexts.id_deleted));
  if (stored && !stored.poll)
    return reject(rowError(stated.line, 'id', stated.id, 'id_taken', importRowTexts.id_taken));
  if (stated.hasGeneratedId && stored?.poll && stored.poll.question !== stated.question)
    return reject(rowError(stated.line, 'id', stated.id, 'id_taken', importRowTexts.generated_id_taken(stated.id)));
  if (stated.lacksDescription && !stored)
    return reject(rowError(stated.line, 'description', '', 'required', importRowTexts.required));
  // Polls from before this rule may be imported again as they are.
  const isKnown = stated.options.every((option, place) => option.text === stored?.options[place]?.text);
  const [repeated] = isKnown ? [] : repeatedOptions(stated.options);
  if (repeated !== undefined) {
    const { text } = stated.options[repeated]!;
    const reason = importRowTexts.duplicate_option(repeated + 1, text);
    return reject(rowError(stated.line, 'options', text, 'duplicate_option', reason));
  }
  const statedOptions = withStoredIds(stated.options, stored?.options ?? []);
  const removed = (stored?.options ?? []).filter(({ id }) => !statedOptions.some((option) => option.id === id));
  // A file that states no votes doesn’t mean to remove imported ones either.
  const statesVotes = stated.options.every(({ votes }) => votes !== undefined);
  const votedOn = removed.find((option) => isVotedFor(option) || (!statesVotes && option.baseVotes > 0));
  if (votedOn) {
    const reason = importRowTexts.option_has_votes(votedOn.id);
    return reject(rowError(stated.line, 'options', votedOn.id, 'option_has_votes', reason));
  }
  const publishBallots = stated.publishBallots ?? stored?.publishBallots ?? true;
  if (stored && publishBallots !== stored.publishBallots && phaseOf(stored, now) !== 'upcoming')
    return reject(
      rowError(stated.line, 'publish_ballots', String(publishBallots), 'ballots_locked', importRowTexts.ballots_locked),
    );

  const protection = stated.protection ?? stored?.protection ?? 'browser';
  if (stored && protection !== stored.protection && phaseOf(stored, now) !== 'upcoming')
    return reject(
      rowError(stated.line, 'protection', protection, 'protection_locked', importRowTexts.protection_locked),
    );

  const before = stored?.poll ?? null;
  const closedAt = closingOf(stated, stored ?? null, now);
  const createdAt = stated.createdAt ?? before?.createdAt ?? stated.startsAt;
  const options = statedOptions.map((option, position): ImportedOption => {
    const known = stored?.options.find(({ id }) => id === option.id);
    return {
      id: option.id,
      isNew: !known,
      position,
      offered: position < limits.offeredOptions,
      text: option.text,
      baseChange: option.votes === undefined ? 0 : option.votes - (known?.baseVotes ?? 0),
    };
  });
  const removedBase = removed.reduce((sum, { baseVotes }) => sum + baseVotes, 0);
  const poll: PlannedPoll = {
    id: stated.id,
    question: stated.question,
    description: stated.description ?? before?.description ?? '',
    tags: stated.tags ?? before?.tags ?? [],
    series: keep(stated.series, before?.series),
    author: keep(stated.author, before?.author),
    summary: keep(stated.summary, before?.summary),
    analysis: keep(stated.analysis, before?.analysis),
    methodologyNotes: keep(stated.methodologyNotes, before?.methodologyNotes),
    countryBreakdown: stated.countryBreakdown ?? before?.countryBreakdown ?? [],
    seriesNote: keep(stated.seriesNote, before?.seriesNote),
    provenance: tidyProvenance({ ...before?.provenance, ...stated.provenance }),
    createdAt,
    updatedAt: stated.updatedAt ?? before?.updatedAt ?? Math.max(createdAt, closedAt ?? createdAt),
    demonstration: false,
    isActive: closedAt === null,
    category: keep(stated.category, stored?.category),
    publishBallots,
    protection,
    startsAt: stated.startsAt,
    endsAt: stated.endsAt,
    closedAt,
    baseChange: options.reduce((sum, option) => sum + option.baseChange, -removedBase),
    options,
    removedOptions: removed.map(({ id }) => id),
  };
  if (!stored || !before) return { kind: 'insert', poll, before: null };
  if (isAsStored(poll, stored, before)) return { kind: 'unchanged' };
  // The file has no update time, so it is now.
  return { kind: 'update', poll: { ...poll, updatedAt: stated.updatedAt ?? now }, before: stored };
}

/**
 * A poll with its stored times, where the file’s dates can mean them: an unchanged file changes nothing, whatever the time zone
 * of the site was when it was imported first. Only of a closed poll, a time can be the one in UTC: of any other, the file may
 * have been changed to it.
 */
function withStoredTimes(stated: StatedPoll, stored: StoredBallot | undefined): StatedPoll {
  if (!stored?.poll || stated.vague === undefined) return stated;
  const { startsAt, endsAt, closedAt, poll } = stored;
  const before = { startsAt, endsAt, closedAt, createdAt: poll.createdAt, updatedAt: poll.updatedAt };
  const kept = Object.entries(stated.vague).flatMap(([time, { day, utc }]) => {
    const at = before[time as StatedTime];
    if (at === null) return [];
    const isMeant =
      (day !== null && at >= day.from && at < day.to) || ((day !== null || closedAt !== null) && utc.includes(at));
    return isMeant ? [[time, at] as const] : [];
  });
  return { ...stated, ...Object.fromEntries(kept) };
}

/**
 * Options with the ids under which they are stored: those without votes, which have no ids of their own, are found by their
 * texts, else by the ids made from these.
 */
function withStoredIds(stated: readonly StatedOption[], stored: readonly StoredOption[]): StatedOption[] {
  const ids = new Map<StatedOption, string>();
  const taken = new Set<string>();
  const assign = (option: StatedOption, id: string) => {
    ids.set(option, id);
    taken.add(id);
  };
  for (const option of stated) {
    const key = option.votes === undefined ? optionKey(option.text) : null;
    const sameText = stored.find(({ id, text }) => key !== null && optionKey(text) === key && !taken.has(id));
    if (key === null || sameText) assign(option, sameText?.id ?? option.id);
  }
  for (const option of stated) {
    if (ids.has(option)) continue;
    let { id } = option;
    for (let number = 2; taken.has(id); number += 1) id = `${option.id}-${number}`;
    assign(option, id);
  }
  return stated.map((option) => ({ ...option, id: ids.get(option)! }));
}

/**
 * When the poll closed, or null while it is open. An explicit time counts; a poll past its end closed at its end; one
 * that is switched off earlier keeps the time at which it was first seen closed.
 */
function closingOf(stated: StatedPoll, stored: StoredBallot | null, now: number): number | null {
  if (stated.closedAt !== null) return stated.closedAt;
  const byItself = closedMoment({ ...stated, isActive: true }, now);
  if (byItself !== null || (stated.isActive ?? !wasClosedEarly(stored))) return byItself;
  if (stored && stored.closedAt !== null) return stored.closedAt;
  const { updatedAt } = stated;
  return updatedAt !== null && updatedAt >= stated.startsAt && updatedAt <= now ? updatedAt : now;
}

/** Whether a poll was closed before its end: a file that doesn’t say whether it is active leaves it closed. */
function wasClosedEarly(stored: StoredBallot | null): boolean {
  return stored !== null && stored.closedAt !== null && stored.closedAt < (stored.endsAt ?? Infinity);
}

function keep<T>(stated: T | undefined, stored: T | undefined): T | null {
  if (stated === undefined) return stored ?? null;
  return stated;
}

function isAsStored(poll: PlannedPoll, stored: StoredBallot, before: StoredPoll): boolean {
  return (
    poll.removedOptions.length === 0 &&
    poll.options.every((option) => {
      const known = stored.options.find(({ id }) => id === option.id);
      return (
        known !== undefined &&
        option.baseChange === 0 &&
        option.text === known.text &&
        option.position === known.position &&
        option.offered === known.offered
      );
    }) &&
    poll.isActive === stored.isActive &&
    poll.category === stored.category &&
    poll.publishBallots === stored.publishBallots &&
    poll.protection === stored.protection &&
    poll.startsAt === stored.startsAt &&
    poll.endsAt === stored.endsAt &&
    poll.closedAt === stored.closedAt &&
    poll.question === before.question &&
    poll.description === before.description &&
    poll.series === before.series &&
    poll.author === before.author &&
    poll.summary === before.summary &&
    poll.analysis === before.analysis &&
    poll.methodologyNotes === before.methodologyNotes &&
    poll.seriesNote === before.seriesNote &&
    poll.createdAt === before.createdAt &&
    poll.updatedAt === before.updatedAt &&
    JSON.stringify(poll.tags) === JSON.stringify(before.tags) &&
    JSON.stringify(poll.countryBreakdown) === JSON.stringify(before.countryBreakdown) &&
    JSON.stringify(poll.provenance) === JSON.stringify(before.provenance)
  );
}

function reject(error: ImportError): Plan {
  return { kind: 'reject', error };
}

/** A poll’s state before an import; unlike other ballots it always has a poll. */
export type PreviousPoll = StoredBallot & { readonly poll: StoredPoll; readonly endsAt: number };

/**
 * The changes that restore a poll’s state before an import, with the votes cast here on top. An option that the import
 * added stays, without its imported votes, if it has votes.
 */
export function planUndo(previous: PreviousPoll, current: StoredBallot, now: number): PlannedPoll {
  const known = new Map(current.options.map((option) => [option.id, option]));
  const added = current.options.filter(({ id }) => !previous.options.some((option) => option.id === id));
  const votedOn = added.filter(isVotedFor);
  const removed = added.filter((option) => !votedOn.includes(option));
  const options = [
    ...previous.options.map((option): ImportedOption => {
      const { id, position, offered, text, baseVotes } = option;
      const baseChange = baseVotes - (known.get(id)?.baseVotes ?? 0);
      return { id, isNew: !known.has(id), position, offered, text, baseChange };
    }),
    ...votedOn.map(({ id, text, baseVotes }, place): ImportedOption => {
      const position = previous.options.length + place;
      return { id, isNew: false, position, offered: position < limits.offeredOptions, text, baseChange: -baseVotes };
    }),
  ];
  const removedBase = removed.reduce((sum, { baseVotes }) => sum + baseVotes, 0);
  // A poll that has ended in the meantime is not reopened.
  const closedAt = closedMoment(previous, now);
  return {
    ...previous.poll,
    // As stored by imports from before these existed.
    series: previous.poll.series ?? null,
    seriesNote: previous.poll.seriesNote ?? null,
    provenance: previous.poll.provenance ?? {},
    // Fixed once the poll has opened.
    publishBallots: phaseOf(current, now) === 'upcoming' ? (previous.publishBallots ?? true) : current.publishBallots,
    // As stored by imports from before there were levels, all of which were this one.
    protection: phaseOf(current, now) === 'upcoming' ? (previous.protection ?? 'browser') : current.protection,
    id: previous.id,
    category: previous.category,
    startsAt: previous.startsAt,
    endsAt: previous.endsAt,
    closedAt,
    isActive: previous.isActive && closedAt === null,
    options,
    removedOptions: removed.map(({ id }) => id),
    baseChange: options.reduce((sum, { baseChange }) => sum + baseChange, -removedBase),
  };
}

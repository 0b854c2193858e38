import type { PollProtection } from '#contract/vocabulary.ts';
import { describe, expect, test } from 'vitest';
import { planPoll, planUndo } from './poll-plan.ts';
import type { Plan, PreviousPoll, StoredBallot } from './poll-plan.ts';
import type { StatedPoll } from './poll-row.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-20T12:00:00Z');

const stated: StatedPoll = {
  line: 2,
  id: 'poll-1',
  question: 'Tea or coffee?',
  description: 'The oldest question.',
  options: [
    { id: 'a', text: 'Tea', votes: 30 },
    { id: 'b', text: 'Coffee', votes: 20 },
    { id: 'c', text: 'Water', votes: 10 },
    { id: 'd', text: 'Cocoa', votes: 0 },
  ],
  isActive: true,
  createdAt: now - 9 * day,
  startsAt: now - 9 * day,
  endsAt: now + 9 * day,
  closedAt: null,
  updatedAt: null,
  category: 'Lifestyle',
};

/** The stored ballot after this plan, with `cast` votes of visitors on top of each option. */
function storedAfter(plan: Plan, cast: Readonly<Record<string, number>> = {}): StoredBallot {
  if (!('poll' in plan)) throw new Error(`Nothing is stored: ${JSON.stringify(plan)}`);
  const { poll } = plan;
  const options = poll.options.map((option) => ({
    ...option,
    baseVotes: option.baseChange,
    votes: option.baseChange + (cast[option.id] ?? 0),
    setAside: 0,
  }));
  return { ...poll, protection: poll.protection as PollProtection, options, poll };
}

const plan = (change: Partial<StatedPoll>, stored?: StoredBallot, at = now) =>
  planPoll({ ...stated, ...change }, stored, at);
function planned(change: Partial<StatedPoll>, stored?: StoredBallot, at = now) {
  const made = plan(change, stored, at);
  if (!('poll' in made)) throw new Error(`Nothing is planned: ${JSON.stringify(made)}`);
  return made.poll;
}

describe('a date without a time or an offset', () => {
  const at = (time: string) => Date.parse(time);
  const berlin = { day: { from: at('2026-11-10T23:00Z'), to: at('2026-11-11T23:00Z') } };
  const utc = [at('2026-11-11T00:00Z'), at('2026-11-11T23:59Z')];
  const ends = { endsAt: at('2026-11-11T22:59Z'), startsAt: now - 20 * day, createdAt: now - 20 * day };
  const closed = (endsAt: string) =>
    storedAfter(plan({ ...ends, endsAt: at(endsAt), updatedAt: now - 20 * day }), { a: 1 });

  test.each([
    ['an earlier version imported it as the beginning of the day', '2026-11-11T00:00Z'],
    ['it was imported before the site had a time zone', '2026-11-11T23:59Z'],
    ['an operator has chosen a time of that day', '2026-11-11T15:00Z'],
  ])('changes nothing when %s', (_, endsAt) => {
    const given = { ...ends, updatedAt: now - 20 * day, vague: { endsAt: { ...berlin, utc } } };
    expect(plan(given, closed(endsAt))).toEqual({ kind: 'unchanged' });
  });

  test('moves a poll to another day', () => {
    const poll = planned({ ...ends, vague: { endsAt: { ...berlin, utc } } }, closed('2026-11-12T22:59Z'));
    expect([poll.endsAt, poll.closedAt]).toEqual([ends.endsAt, ends.endsAt]);
  });

  test('keeps a closed poll’s times, which were read in UTC before; an open one follows the file', () => {
    const vague = { endsAt: { day: null, utc: [at('2026-11-11T09:00Z')] } };
    const nine = { ...ends, endsAt: at('2026-11-11T08:00Z'), updatedAt: now - 20 * day, vague };
    expect(plan(nine, closed('2026-11-11T09:00Z'))).toEqual({ kind: 'unchanged' });
    const before = at('2026-11-05T12:00Z');
    const open = storedAfter(plan({ ...ends, endsAt: at('2026-11-11T09:00Z') }, undefined, before));
    expect(planned(nine, open, before).endsAt).toBe(at('2026-11-11T08:00Z'));
  });
});

describe('a new poll', () => {
  test('starts with the imported votes and offers its first three options', () => {
    const poll = planned({});
    expect(poll.baseChange).toBe(60);
    expect(poll.options.map(({ offered }) => offered)).toEqual([true, true, true, false]);
    expect(plan({}).kind).toBe('insert');
  });

  test('was last updated when it closed or was created, unless the file says more', () => {
    expect(planned({}).updatedAt).toBe(stated.createdAt);
    expect(planned({ endsAt: now - day }).updatedAt).toBe(now - day);
    expect(planned({ updatedAt: now - 2 * day }).updatedAt).toBe(now - 2 * day);
  });
});

describe('options that look the same', () => {
  const twins = ['Yes', 'No', 'yes\u200b'].map((text, place) => ({ id: `o${place}`, text, votes: 1 }));

  test.each([[twins], [['Yes', 'No', 'Yes'].map((text, place) => ({ id: `o${place}`, text }))]])(
    'reject a row, whether it states votes or only texts',
    (options) => {
      expect(plan({ options })).toMatchObject({
        kind: 'reject',
        error: { column: 'options', code: 'duplicate_option', value: options[2]!.text },
      });
    },
  );

  test('of a poll from before this rule stay, and the poll can be imported again', () => {
    const stored = storedAfter(plan({}));
    const known = twins.map((option, position) => ({ ...stored.options[position]!, ...option, baseVotes: 1 }));
    const legacy = { ...stored, options: known };
    expect(plan({ options: twins }, legacy)).toEqual({ kind: 'unchanged' });
    expect(planned({ options: twins, question: 'Tea?' }, legacy).question).toBe('Tea?');
    expect(plan({ options: twins.toReversed() }, legacy).kind).toBe('reject');
  });

  test('name the option that is stored, so that its votes stay with it', () => {
    const stored = storedAfter(plan({}), { b: 5 });
    const options = ['TEA', 'coffee\u00ad', 'Water', 'Cocoa'].map((text) => ({ id: `new-${text}`, text }));
    expect(planned({ options }, stored).options.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('when a poll counts as closed', () => {
  test.each<[string, Partial<StatedPoll>, number | null]>([
    ['active with an end to come: open', {}, null],
    ['active with a start to come: open (upcoming)', { startsAt: now + day }, null],
    ['active with its end behind it: closed at its end', { endsAt: now - day }, now - day],
    ['a stated closing time, although active: closed then', { closedAt: now - 3 * day }, now - 3 * day],
    ['not active, end behind it: closed at its end', { isActive: false, endsAt: now - day }, now - day],
    ['not active, end to come: closed at its last update', { isActive: false, updatedAt: now - day }, now - day],
    ['not active, end to come, never updated: closed now', { isActive: false }, now],
  ])('%s', (_, change, closedAt) => {
    expect(planned(change).closedAt).toBe(closedAt);
    expect(planned(change).isActive).toBe(closedAt === null);
  });

  test('a deactivated poll keeps its closing time at the next import', () => {
    const stored = storedAfter(plan({ isActive: false }));
    expect(plan({ isActive: false }, stored, now + day)).toEqual({ kind: 'unchanged' });
  });

  test('a file that marks a closed poll as active, with a future end, reopens it', () => {
    const stored = storedAfter(plan({ isActive: false }));
    expect(planned({}, stored)).toMatchObject({ isActive: true, closedAt: null });
  });

  test('a poll that has closed since is not changed by the file that opened it', () => {
    const closedByItself = { ...storedAfter(plan({})), isActive: false, closedAt: stated.endsAt };
    expect(plan({}, closedByItself, stated.endsAt + day)).toEqual({ kind: 'unchanged' });
  });
});

describe('an existing poll', () => {
  test('is unchanged by the same file, whatever votes were cast on the site', () => {
    expect(plan({}, storedAfter(plan({}), { a: 5, d: 1 }))).toEqual({ kind: 'unchanged' });
  });

  test.each<[string, Partial<StatedPoll>]>([
    ['question', { question: 'Coffee or tea?' }],
    ['an option text', { options: stated.options.map((option) => ({ ...option, text: `${option.text}!` })) }],
    ['the order of options', { options: stated.options.toReversed() }],
    ['votes', { options: stated.options.map((option) => ({ ...option, votes: (option.votes ?? 0) + 1 })) }],
    ['end', { endsAt: now + 10 * day }],
    ['category', { category: null }],
    ['tags', { tags: ['hot drinks'] }],
    ['countries', { countryBreakdown: [{ name: 'Peru', percentage: 100 }] }],
    ['update time', { updatedAt: now - day }],
  ])('is updated by another %s', (_, change) => {
    expect(plan(change, storedAfter(plan({}))).kind).toBe('update');
  });

  test('[D9.8] changes its base by the difference, so that votes cast meanwhile stay on top', () => {
    const options = [
      { id: 'b', text: 'Coffee', votes: 25 },
      { id: 'a', text: 'Tea', votes: 28 },
      { id: 'e', text: 'Juice', votes: 4 },
    ];
    const poll = planned({ options }, storedAfter(plan({}), { a: 5, b: 7 }));
    expect(poll.options).toMatchObject([
      { id: 'b', isNew: false, position: 0, baseChange: 5 },
      { id: 'a', isNew: false, position: 1, baseChange: -2 },
      { id: 'e', isNew: true, position: 2, baseChange: 4 },
    ]);
    expect(poll.removedOptions).toEqual(['c', 'd']);
    expect(poll.baseChange).toBe(5 - 2 + 4 - 10);
  });

  test('does not lose an option that has votes', () => {
    const stored = storedAfter(plan({}), { d: 1 });
    expect(plan({ options: stated.options.slice(0, 3) }, stored)).toMatchObject({
      kind: 'reject',
      error: { line: 2, column: 'options', value: 'd', code: 'option_has_votes' },
    });
  });

  test('does not lose an option whose votes were set aside', () => {
    const stored = storedAfter(plan({}));
    const options = stored.options.map((option) => ({ ...option, setAside: option.id === 'd' ? 1 : 0 }));
    expect(plan({ options: stated.options.slice(0, 3) }, { ...stored, options })).toMatchObject({
      kind: 'reject',
      error: { value: 'd', code: 'option_has_votes' },
    });
    const previous = { ...storedAfter(plan({ options: stated.options.slice(0, 3) })), endsAt: stated.endsAt };
    const undone = planUndo(previous as PreviousPoll, { ...stored, options }, now);
    expect([undone.removedOptions, undone.options.at(-1)?.id]).toEqual([[], 'd']);
  });

  test('keeps its imported votes, and the ids of its options, in a file that lists only texts', () => {
    const stored = storedAfter(plan({}), { a: 5 });
    const listed = (...texts: string[]) => texts.map((text) => ({ id: text.toLowerCase(), text }));
    expect(plan({ options: listed('Tea', 'Coffee', 'Water', 'Cocoa') }, stored)).toEqual({ kind: 'unchanged' });
    const moved = planned({ options: listed('Water', 'Juice', 'Coffee', 'Tea') }, stored);
    expect(moved.options.map(({ id, baseChange }) => [id, baseChange])).toEqual([
      ...[['c', 0] as const, ['juice', 0] as const, ['b', 0] as const, ['a', 0] as const],
    ]);
    expect([moved.removedOptions, moved.baseChange]).toEqual([['d'], 0]);
    expect(plan({ options: listed('Tea', 'Cocoa') }, stored)).toMatchObject({
      error: { value: 'b', code: 'option_has_votes' },
    });
    const clash = planned({ options: [...listed('Tea', 'Coffee', 'Water'), { id: 'a', text: 'A' }] }, stored);
    expect(clash.options.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'a-2']);
  });

  test('is not overwritten by a poll with another question that gets the same id', () => {
    const stored = storedAfter(plan({}));
    expect(plan({ hasGeneratedId: true, category: 'Food' }, stored).kind).toBe('update');
    expect(plan({ hasGeneratedId: true, question: 'Tea, or coffee?' }, stored)).toMatchObject({
      error: { column: 'id', value: 'poll-1', code: 'id_taken' },
    });
  });

  test('keeps values whose column is missing and clears empty ones', () => {
    const stored = storedAfter(plan({ summary: 'Tea leads.', tags: ['tea'], author: 'Desk' }));
    expect(plan({}, stored)).toEqual({ kind: 'unchanged' });
    expect(planned({ summary: null, tags: [] }, stored)).toMatchObject({ summary: null, tags: [], author: 'Desk' });
  });

  test('publishes its ballots or not as the file says, but only until it opens', () => {
    const stored = storedAfter(plan({ publishBallots: false }));
    expect(stored.publishBallots).toBe(false);
    expect(plan({}, stored)).toEqual({ kind: 'unchanged' });
    expect(plan({ publishBallots: true }, stored)).toMatchObject({
      kind: 'reject',
      error: { line: 2, column: 'publish_ballots', value: 'true', code: 'ballots_locked' },
    });
    const beforeStart = stated.startsAt - 1;
    expect(planned({ publishBallots: true }, stored, beforeStart).publishBallots).toBe(true);
    expect(planned({}).publishBallots).toBe(true);
  });

  test('was updated now if the file has no update time', () => {
    expect(planned({ question: 'Coffee?' }, storedAfter(plan({}))).updatedAt).toBe(now);
  });
});

test('the id of a community poll is refused', () => {
  const stored = { ...storedAfter(plan({})), poll: null };
  expect(plan({}, stored)).toMatchObject({ kind: 'reject', error: { column: 'id', code: 'id_taken' } });
});

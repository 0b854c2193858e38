import { describe, expect, test } from 'vitest';
import type { Intervention } from '#api/voting/vote-figures.contract.ts';
import { figuresOf, isProvisional } from './vote-figures.ts';
import { figuresSentence, withFigures } from './figure-sentences.ts';

const decision = (one: Partial<Intervention>): Intervention => ({
  ...{ number: 1, action: 'set-aside', reason: 'automated-network', votes: 2_200, state: 'set-aside' },
  ...one,
});

describe('the figures of a poll', () => {
  test('votes received are the votes counted, set aside, and held', () => {
    expect(figuresOf({ totalVotes: 5, setAsideVotes: 3, heldVotes: 2 })).toMatchObject({
      receivedVotes: 10,
      countedVotes: 5,
    });
    expect(figuresOf({ totalVotes: 5 })).toEqual({
      receivedVotes: 5,
      countedVotes: 5,
      setAsideVotes: 0,
      heldVotes: 0,
      interventions: [],
    });
  });

  test('a result is provisional exactly while votes are held', () => {
    expect([{}, { heldVotes: 0 }, { heldVotes: 1 }].map(isProvisional)).toEqual([false, false, true]);
  });
});

describe('the sentence about the figures', () => {
  test('says how many votes were received, counted, and set aside, and why', () => {
    expect(figuresSentence({ totalVotes: 1, setAsideVotes: 2_200, interventions: [decision({})] })).toBe(
      '2,201 votes received, 1 counted, 2,200 set aside (automated voting from one network)',
    );
  });

  test('is left out when all votes received are counted, also after a release', () => {
    expect(figuresSentence({ totalVotes: 7 })).toBeNull();
    const released = [decision({ state: 'released' }), decision({ number: 2, state: 'expired' })];
    expect(figuresSentence({ totalVotes: 7, setAsideVotes: 0, heldVotes: 0, interventions: released })).toBeNull();
  });

  test('tells held votes from votes set aside, each with its own reasons, largest first, and each reason once', () => {
    const interventions = [
      decision({ votes: 5, reason: 'operator-test' }),
      decision({ number: 2, votes: 20 }),
      decision({ number: 3, votes: 10 }),
      decision({ number: 4, votes: 8, state: 'held', action: 'hold', reason: 'unusual-rate' }),
      decision({ number: 5, votes: 9, state: 'released', reason: 'new-accounts' }),
    ];
    expect(figuresSentence({ totalVotes: 1, setAsideVotes: 35, heldVotes: 8, interventions })).toBe(
      '44 votes received, 1 counted, 35 set aside (automated voting from one network; votes cast for testing), 8 held for a decision (an unusual burst of identical votes)',
    );
  });

  test('goes without reasons where they are not known, and knows one vote', () => {
    expect(figuresSentence({ totalVotes: 0, setAsideVotes: 1 })).toBe('1 vote received, 0 counted, 1 set aside');
  });

  test('comes before a text that stands alone', () => {
    expect(withFigures({ totalVotes: 0, setAsideVotes: 1 }, 'Tea won.')).toBe(
      '1 vote received, 0 counted, 1 set aside. Tea won.',
    );
    expect(withFigures({ totalVotes: 1 }, 'Tea won.')).toBe('Tea won.');
  });
});
